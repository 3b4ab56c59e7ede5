import type { ReactNode } from "react";
import { Time } from "../../components/time.tsx";
import type { DoneRow, FailedRow, Overview } from "../../contract/overview.ts";
import { Link } from "../../routing/link.tsx";

/** What was done and what failed since the owner was last here, and what waits. */
export function SinceLastVisit({ overview }: { readonly overview: Overview }): ReactNode {
  const { since, ask_count: askCount } = overview;
  return (
    <section className="since" aria-labelledby="since-title">
      <h2 id="since-title">
        Since you were last here, <Time at={since.since} />
      </h2>
      <div className="figures">
        <Figure count={since.done_count} label="done or decided" tone="good">
          {since.done.map((row) => (
            <DoneItem key={`${row.goal_id} ${row.at} ${row.type} ${row.todo_id ?? ""}`} row={row} />
          ))}
        </Figure>
        <Figure count={since.failed_count} label="failed" tone="bad">
          {since.failed.map((row) => (
            <FailedItem key={`${row.goal_id} ${row.kind} ${row.todo_id ?? ""} ${row.at ?? ""}`} row={row} />
          ))}
        </Figure>
        <Figure count={askCount} label={askCount === 1 ? "waits for you" : "wait for you"} tone="warn" />
      </div>
    </section>
  );
}

interface FigureProps {
  readonly count: number;
  readonly label: string;
  readonly tone: "good" | "bad" | "warn";
  readonly children?: readonly ReactNode[];
}

function Figure({ count, label, tone, children = [] }: FigureProps): ReactNode {
  const title = (
    <>
      <strong className={count === 0 ? "faint" : `ink-${tone}`}>{count.toLocaleString("en")}</strong> {label}
    </>
  );
  if (children.length === 0) return <p className="figure-box">{title}</p>;
  const rest = count - children.length;
  return (
    <details className="figure-box">
      <summary>{title}</summary>
      <ul>{children}</ul>
      {rest > 0 ? <p className="faint">and {rest} more, in the goals’ timelines</p> : null}
    </details>
  );
}

const DONE: Readonly<Record<string, string>> = {
  "todo_completed.v1": "completed",
  "gate_decided.v1": "decided",
  "goal_completed.v1": "goal completed",
};

function DoneItem({ row }: { readonly row: DoneRow }): ReactNode {
  return (
    <li>
      <GoalPlace goalId={row.goal_id} todoId={row.todo_id} text={row.title ?? row.goal_id} />{" "}
      <span className="faint">
        {DONE[row.type] ?? row.type}, <Time at={row.at} />
      </span>
    </li>
  );
}

const FAILED: Readonly<Record<string, string>> = {
  validation_failed: "its check failed",
  turn_past_lease: "a turn is open past its lease",
};

function FailedItem({ row }: { readonly row: FailedRow }): ReactNode {
  return (
    <li>
      <GoalPlace goalId={row.goal_id} todoId={row.todo_id} text={row.label ?? row.todo_id ?? row.goal_id} />{" "}
      <span className="faint">
        {FAILED[row.kind] ?? row.kind}
        {row.at === null ? null : (
          <>
            , <Time at={row.at} />
          </>
        )}
      </span>
    </li>
  );
}

interface GoalPlaceProps {
  readonly goalId: string;
  readonly todoId: string | null;
  readonly text: string;
}

function GoalPlace({ goalId, todoId, text }: GoalPlaceProps): ReactNode {
  const isTodo = todoId !== null && todoId.startsWith("todo_");
  return <Link to={isTodo ? { screen: "todo", goalId, todoId } : { screen: "goal", goalId }}>{text}</Link>;
}
