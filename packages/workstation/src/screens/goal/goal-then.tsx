import type { ReactNode } from "react";
import { Badge } from "../../components/badge.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { ResourceView } from "../../components/resource-view.tsx";
import { Time } from "../../components/time.tsx";
import { VirtualList } from "../../components/virtual-list.tsx";
import type { GoalAt, TodoAt } from "../../contract/goal.ts";
import { useResource } from "../../http/use-resource.ts";
import { useThenPages } from "./use-then-pages.ts";

interface GoalThenProps {
  readonly goalId: string;
  /** The number of an event, or a moment. */
  readonly point: string;
  readonly onMove: (point: string) => void;
  readonly onClose: () => void;
}

/** A goal as it was after one event, with the way to the events beside it. */
export function GoalThen({ goalId, point, onMove, onClose }: GoalThenProps): ReactNode {
  const path = `/api/goals/${encodeURIComponent(goalId)}/at/${encodeURIComponent(point)}`;
  const then = useResource<GoalAt>(path);
  return (
    <section aria-label="The goal as it was" className="lane">
      <div className="actions">
        <button type="button" onClick={onClose}>
          Back to now
        </button>
        {then.document === undefined ? null : <Steps then={then.document} onMove={onMove} />}
      </div>
      <ResourceView resource={then} rows={8}>
        {(document) => <Shown key={document.seq} path={path} then={document} />}
      </ResourceView>
    </section>
  );
}

function Steps({ then, onMove }: { readonly then: GoalAt; readonly onMove: (point: string) => void }): ReactNode {
  return (
    <>
      <button type="button" disabled={then.seq <= then.first_seq} onClick={() => onMove(String(then.seq - 1))}>
        One event earlier
      </button>
      <button type="button" disabled={then.seq >= then.last_seq} onClick={() => onMove(String(then.seq + 1))}>
        One event later
      </button>
    </>
  );
}

function Shown({ path, then }: { readonly path: string; readonly then: GoalAt }): ReactNode {
  const { rows, hasMore, fault, more } = useThenPages(path, then.todos);
  return (
    <>
      <div className="notice">
        <p>
          As it was after event {then.seq} of {then.last_seq}, <Time at={then.at} />:{" "}
          <strong>{then.status ?? "not there"}</strong>
          {then.revision === null ? "" : `, revision ${then.revision}`}
        </p>
        <p className="clamp">{then.objective}</p>
      </div>
      {rows.length === 0 ? <p className="quiet">There was no todo yet.</p> : null}
      <VirtualList
        label="Todos as they were"
        rows={rows}
        total={rows.length + (hasMore ? 1 : 0)}
        keyOf={(todo: TodoAt) => todo.todo_id}
        rowHeight={50}
        onEnd={more}
      >
        {(todo) => (
          <article className="row">
            <span className="priority">{todo.priority}</span>
            <div className="row-main">
              <p className="clamp">{todo.text}</p>
              <p className="faint">
                <Badge>{todo.decision ?? todo.status}</Badge>{" "}
                {todo.claimed_by === null ? "" : `claimed by ${todo.claimed_by} · `}
                {todo.todo_id}
              </p>
            </div>
          </article>
        )}
      </VirtualList>
      {fault === undefined ? null : <ErrorState fault={fault} onRetry={more} />}
    </>
  );
}
