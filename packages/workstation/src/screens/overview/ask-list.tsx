import type { ReactNode } from "react";
import { Badge } from "../../components/badge.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { VirtualList } from "../../components/virtual-list.tsx";
import type { AskRow } from "../../contract/overview.ts";
import type { Page } from "../../contract/page.ts";
import { useFurther } from "../../http/use-further.ts";
import { Link } from "../../routing/link.tsx";
import { sayKind } from "../say-kind.ts";

interface AskListProps {
  readonly first: Page<AskRow>;
  readonly count: number;
}

/** What waits for the owner, the most urgent first. */
export function AskList({ first, count }: AskListProps): ReactNode {
  const { rows, hasMore, fault, more } = useFurther(first, "/api/overview/asks", toKey);
  return (
    <section aria-labelledby="asks-title" className="lane">
      <h2 id="asks-title">
        Waits for you <span className="count">{count}</span>
      </h2>
      {count === 0 ? <p className="quiet">Nothing waits for you.</p> : null}
      <VirtualList label="Waits for you" rows={rows} total={count} keyOf={toKey} rowHeight={72}>
        {(row) => <Ask row={row} />}
      </VirtualList>
      {fault === undefined ? null : <ErrorState fault={fault} onRetry={more} />}
      {hasMore ? (
        <button type="button" onClick={more}>
          Show more
        </button>
      ) : null}
    </section>
  );
}

function toKey(row: AskRow): string {
  return `${row.goal_id} ${row.todo_id}`;
}

function Ask({ row }: { readonly row: AskRow }): ReactNode {
  const to = { screen: "todo", goalId: row.goal_id, todoId: row.todo_id } as const;
  return (
    <div className="row">
      <div className="row-main">
        <p className="clamp">
          <Link to={to} className="row-title">
            {row.question}
          </Link>
        </p>
        <p className="faint">
          <Badge tone="warn">{sayKind(row.kind)}</Badge> {row.why}{" "}
          <Link to={{ screen: "goal", goalId: row.goal_id }}>{row.goal_id}</Link> · {row.project_label}
        </p>
      </div>
      <Link to={to} className="button button-main">
        {row.next.label}
      </Link>
    </div>
  );
}
