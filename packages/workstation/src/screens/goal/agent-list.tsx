import type { ReactNode } from "react";
import { Badge, type Tone } from "../../components/badge.tsx";
import { Code } from "../../components/code.tsx";
import type { AgentRow } from "../../contract/goal.ts";
import { Link } from "../../routing/link.tsx";
import { Lease } from "./lease.tsx";

const TONES: Readonly<Record<string, Tone>> = {
  run: "good",
  replan: "info",
  ask_user: "warn",
  repair: "bad",
  throttled: "bad",
  paused: "warn",
};

interface AgentListProps {
  readonly goalId: string;
  readonly agents: readonly AgentRow[];
}

/** The agents of a goal: what each would be answered now, its open turn, and the threads that speak for it. */
export function AgentList({ goalId, agents }: AgentListProps): ReactNode {
  return (
    <section aria-labelledby="agents-title" className="lane">
      <h2 id="agents-title">
        Agents <span className="count">{agents.length}</span>
      </h2>
      {agents.length === 0 ? (
        <>
          <p className="quiet">No agent is registered, so nobody works on it.</p>
          <Code text={`loopx status --goal-id=${goalId}`} />
        </>
      ) : null}
      {agents.map((agent) => (
        <article key={agent.agent_id} className="card">
          <p>
            <strong>{agent.agent_id}</strong>{" "}
            <Badge tone={TONES[agent.state] ?? "neutral"}>{agent.state.replaceAll("_", " ")}</Badge>
          </p>
          <p>{agent.why}</p>
          {agent.open_turn === null ? null : (
            <p className="faint">
              On{" "}
              {agent.open_turn.todo_id.startsWith("todo_") ? (
                <Link to={{ screen: "todo", goalId, todoId: agent.open_turn.todo_id }}>{agent.open_turn.todo_id}</Link>
              ) : (
                "planning"
              )}
              , <Lease until={agent.open_turn.lease_expires_at} />
            </p>
          )}
          {agent.threads.length === 0 ? (
            <p className="faint">No thread is bound to it.</p>
          ) : (
            <ul className="threads faint">
              {agent.threads.map((thread) => (
                <li key={`${thread.host_surface} ${thread.thread_id}`}>
                  {thread.host_surface} <span className="mono">{thread.thread_id}</span>
                  {thread.is_verified ? "" : ", not verified"}
                </li>
              ))}
            </ul>
          )}
        </article>
      ))}
    </section>
  );
}
