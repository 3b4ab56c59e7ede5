import type { ReactNode } from "react";
import { Badge } from "../../components/badge.tsx";
import { ResourceView } from "../../components/resource-view.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import type { EvidenceRow, TodoAnswer } from "../../contract/goal.ts";
import { useResource } from "../../http/use-resource.ts";
import { Link } from "../../routing/link.tsx";
import { sayActor } from "../say-actor.ts";
import { EventTable } from "./event-table.tsx";
import { GateCard } from "./gate-card.tsx";
import { TodoFacts } from "./todo-item.tsx";
import { TurnTable } from "./turn-table.tsx";

interface TodoDetailProps {
  readonly goalId: string;
  readonly todoId: string;
}

/** One todo whole: its text, what holds it, its evidence, turns and events. A gate can be decided here. */
export function TodoDetail({ goalId, todoId }: TodoDetailProps): ReactNode {
  const path = `/api/goals/${encodeURIComponent(goalId)}/todos/${encodeURIComponent(todoId)}`;
  const todo = useResource<TodoAnswer>(path, [`goal:${goalId}`]);
  return (
    <ResourceView resource={todo} rows={10}>
      {(answer) => <Shown goalId={goalId} answer={answer} />}
    </ResourceView>
  );
}

function Shown({ goalId, answer }: { readonly goalId: string; readonly answer: TodoAnswer }): ReactNode {
  const { todo, gate, evidence, turns, events, seq, compacted_until: compactedUntil } = answer;
  return (
    <>
      <header>
        <h1 className="objective">{todo.text}</h1>
        {gate === null ? (
          <p className="faint">
            <Badge>{todo.status}</Badge> {todo.priority} · written by {sayActor(todo.created_by)},{" "}
            <Time at={todo.created_at} />
          </p>
        ) : null}
      </header>
      {gate === null ? (
        <p className="todo-facts">
          <TodoFacts goalId={goalId} todo={todo} />
        </p>
      ) : (
        <GateCard goalId={goalId} gate={gate} seq={seq} isTitled />
      )}
      {todo.note === null ? null : (
        <Part title="Note">
          <p className="text">{todo.note}</p>
        </Part>
      )}
      {todo.validation === null ? null : (
        <Part title="Check that must pass">
          <pre>{todo.validation.join(" ")}</pre>
        </Part>
      )}
      {todo.depends_on.length === 0 && todo.successor_todo_id === null ? null : (
        <Part title="Belongs with">
          <ul>
            {todo.depends_on.map((id) => (
              <li key={id}>
                needs <Link to={{ screen: "todo", goalId, todoId: id }}>{id}</Link>
              </li>
            ))}
            {todo.successor_todo_id === null ? null : (
              <li>
                followed by{" "}
                <Link to={{ screen: "todo", goalId, todoId: todo.successor_todo_id }}>{todo.successor_todo_id}</Link>
              </li>
            )}
          </ul>
        </Part>
      )}
      {gate === null ? (
        <Part title="Evidence">
          {evidence.length === 0 ? <p className="quiet">Nothing is recorded yet.</p> : null}
          {evidence.map((row) => (
            <EvidenceCard key={row.evidence_id} row={row} />
          ))}
        </Part>
      ) : null}
      {turns.length === 0 ? null : (
        <Part title="Turns">
          <TurnTable goalId={goalId} turns={turns} />
        </Part>
      )}
      <Part title="What happened">
        <EventTable events={events} />
        {compactedUntil === null ? null : (
          <p className="faint">
            Events up to <Time at={compactedUntil} /> were compacted: some of this one may be in the archive only.
          </p>
        )}
      </Part>
    </>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <section className="lane" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function EvidenceCard({ row }: { readonly row: EvidenceRow }): ReactNode {
  const { validation } = row;
  return (
    <article className="card">
      <p className="faint">
        <Badge tone={row.outcome === "blocked" ? "bad" : "good"}>{row.outcome.replaceAll("_", " ")}</Badge>{" "}
        {row.agent_id ?? "somebody"}, <Time at={row.recorded_at} />
      </p>
      <p className="text">{row.text}</p>
      {row.files.length === 0 ? null : (
        <Table
          label="Files"
          rows={row.files}
          keyOf={({ path }) => path}
          columns={[
            { title: "File", cell: ({ path }) => path },
            { title: "SHA-256", cell: ({ sha256 }) => <code title={sha256}>{sha256.slice(0, 12)}</code> },
            { title: "Bytes", cell: ({ bytes }) => bytes.toLocaleString("en"), isFigure: true },
          ]}
        />
      )}
      {validation === null ? null : (
        <details open={validation.status === "failed"}>
          <summary>
            Check {validation.label ?? ""} <strong>{validation.status.replaceAll("_", " ")}</strong>
            {validation.exit_code === null ? "" : `, exit code ${validation.exit_code}`}
          </summary>
          {validation.output === null ? null : <pre className="output">{validation.output}</pre>}
        </details>
      )}
    </article>
  );
}
