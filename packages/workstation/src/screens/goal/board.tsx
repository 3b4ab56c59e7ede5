import { useState, type ReactNode } from "react";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { VirtualList } from "../../components/virtual-list.tsx";
import type { BoardColumn, TodoRow } from "../../contract/goal.ts";
import { usePages } from "../../http/use-pages.ts";
import { TodoItem } from "./todo-item.tsx";

const COLUMNS: readonly (readonly [BoardColumn, string, string])[] = [
  ["yours", "Yours", "Nothing here is for you to do."],
  ["claimed", "In progress", "No agent holds a todo now."],
  ["open", "Open", "No todo waits for an agent."],
  ["blocked", "Blocked", "Nothing is blocked."],
  ["deferred", "Deferred", "Nothing is put off."],
  ["done", "Done", "Nothing is done yet."],
  ["superseded", "Superseded", "Nothing was superseded."],
];

interface BoardProps {
  readonly goalId: string;
  readonly counts: Readonly<Record<BoardColumn, number>>;
}

/** The todos of a goal by state, a column at a time. */
export function Board({ goalId, counts }: BoardProps): ReactNode {
  const [chosen, setChosen] = useState<BoardColumn>();
  const column = chosen ?? (counts.claimed > 0 ? "claimed" : "open");
  return (
    <section aria-label="Todos">
      <div className="columns" role="group" aria-label="State">
        {COLUMNS.map(([name, title]) => (
          <button key={name} type="button" aria-pressed={name === column} onClick={() => setChosen(name)}>
            {title} <span className="count">{counts[name].toLocaleString("en")}</span>
          </button>
        ))}
      </div>
      <Column key={column} goalId={goalId} column={column} count={counts[column]} />
    </section>
  );
}

interface ColumnProps {
  readonly goalId: string;
  readonly column: BoardColumn;
  readonly count: number;
}

function Column({ goalId, column, count }: ColumnProps): ReactNode {
  const path = `/api/goals/${encodeURIComponent(goalId)}/todos?column=${column}`;
  const { rows, hasMore, fault, more } = usePages<TodoRow>(path, [`goal:${goalId}`]);
  const [, title = "", empty = ""] = COLUMNS.find(([name]) => name === column) ?? [];
  return (
    <>
      {fault === undefined ? null : <ErrorState fault={fault} />}
      {rows === undefined && fault === undefined ? <Loading rows={6} /> : null}
      {rows?.length === 0 ? <p className="quiet">{empty}</p> : null}
      <VirtualList
        label={title}
        rows={rows ?? []}
        total={hasMore ? Math.max(count, (rows?.length ?? 0) + 1) : (rows?.length ?? 0)}
        keyOf={(row) => row.todo_id}
        rowHeight={64}
        onEnd={more}
      >
        {(row) => <TodoItem goalId={goalId} todo={row} />}
      </VirtualList>
    </>
  );
}
