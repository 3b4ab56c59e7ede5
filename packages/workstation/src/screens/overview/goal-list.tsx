import type { ReactNode } from "react";
import { Badge, type Tone } from "../../components/badge.tsx";
import { Code } from "../../components/code.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { VirtualList } from "../../components/virtual-list.tsx";
import type { GoalLane, GoalRow } from "../../contract/overview.ts";
import type { Page } from "../../contract/page.ts";
import { useFurther } from "../../http/use-further.ts";
import { Link } from "../../routing/link.tsx";
import { sayCount } from "../say-count.ts";

const LANES: Readonly<Record<GoalLane, { readonly title: string; readonly tone: Tone }>> = {
  needs_you: { title: "Needs you", tone: "warn" },
  in_progress: { title: "In progress", tone: "info" },
  watching: { title: "Watching", tone: "neutral" },
  held: { title: "Scheduled or blocked", tone: "neutral" },
};
const LANE_NAMES = ["needs_you", "in_progress", "watching", "held"] as const;

interface GoalListProps {
  readonly first: Page<GoalRow>;
  readonly lanes: Readonly<Record<GoalLane, number>>;
  readonly count: number;
}

/** The open goals by lane: what needs the owner first. */
export function GoalList({ first, lanes, count }: GoalListProps): ReactNode {
  const { rows, hasMore, fault, more } = useFurther(first, "/api/overview/goals", (row) => row.goal_id);
  return (
    <section aria-labelledby="goals-title" className="lane">
      <h2 id="goals-title">
        Open goals <span className="count">{count}</span>
      </h2>
      <p className="lane-counts">
        {LANE_NAMES.map((lane) => (
          <Badge key={lane} tone={lanes[lane] === 0 ? "neutral" : LANES[lane].tone}>
            {LANES[lane].title} {lanes[lane]}
          </Badge>
        ))}
      </p>
      {fault === undefined ? null : <ErrorState fault={fault} onRetry={more} />}
      <VirtualList
        label="Open goals"
        rows={rows}
        total={hasMore ? Math.max(count, rows.length + 1) : rows.length}
        keyOf={(row) => row.goal_id}
        rowHeight={96}
        onEnd={more}
      >
        {(row) => <Goal row={row} isFirst={rows.find(({ lane }) => lane === row.lane) === row} />}
      </VirtualList>
      {rows.length === 0 ? <p className="quiet">No goal is open.</p> : null}
    </section>
  );
}

function Goal({ row, isFirst }: { readonly row: GoalRow; readonly isFirst: boolean }): ReactNode {
  const { title, tone } = LANES[row.lane];
  return (
    <>
      {isFirst ? <h3 className="lane-title">{title}</h3> : null}
      <article className={`row row-${tone}`}>
        <div className="row-main">
          <p className="row-head">
            <Link to={{ screen: "goal", goalId: row.goal_id }} className="row-title">
              {row.goal_id}
            </Link>
            {row.status === "paused" ? <Badge>Paused</Badge> : null}
            <span className="faint">{row.project_label}</span>
          </p>
          <p className="clamp">{row.objective}</p>
          <p>
            <span className="why">{row.why}</span> <span className="faint">{sayCounts(row)}</span>
          </p>
        </div>
        <div className="row-next">
          {row.next.todo_id === undefined ? (
            <span className="faint">{row.next.label}</span>
          ) : (
            <Link to={{ screen: "todo", goalId: row.goal_id, todoId: row.next.todo_id }} className="button">
              {row.next.label}
            </Link>
          )}
          <Code text={row.next.command} />
        </div>
      </article>
    </>
  );
}

function sayCounts(row: GoalRow): string {
  const counts = [
    [row.agent_count, sayCount(row.agent_count, "agent")],
    [row.claimed_count, `${row.claimed_count} claimed`],
    [row.runnable_count, `${row.runnable_count} runnable`],
    [row.blocked_count, `${row.blocked_count} held`],
  ] as const;
  return counts
    .filter(([count]) => count > 0)
    .map(([, text]) => text)
    .join(" · ");
}
