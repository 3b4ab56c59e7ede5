import type { ReactNode } from "react";
import type { GateRow, GoalAnswer } from "../../contract/goal.ts";
import { GateCard } from "./gate-card.tsx";

/** More than these would push the todos out of sight. */
const AT_ONCE = 3;

/** The gates that still ask or hold; those without an answer first. */
export function GateList({ answer }: { readonly answer: GoalAnswer }): ReactNode {
  const { gates, gate_count: gateCount, seq, goal } = answer;
  if (gateCount === 0) return null;
  const undecided = gates.filter(({ decision }) => decision === null);
  const decided = gates.filter(({ decision }) => decision !== null);
  const render = (gate: GateRow): ReactNode => (
    <GateCard key={gate.gate_id} goalId={goal.goal_id} gate={gate} seq={seq} />
  );
  return (
    <section aria-labelledby="gates-title" className="lane">
      <h2 id="gates-title">
        Gates <span className="count">{gateCount}</span>
      </h2>
      {undecided.slice(0, AT_ONCE).map(render)}
      <Folded title="More to be answered" gates={undecided.slice(AT_ONCE)} render={render} />
      <Folded title="Decided, and still holding something" gates={decided} render={render} />
      {gateCount > gates.length ? <p className="quiet">and {gateCount - gates.length} more</p> : null}
    </section>
  );
}

interface FoldedProps {
  readonly title: string;
  readonly gates: readonly GateRow[];
  readonly render: (gate: GateRow) => ReactNode;
}

function Folded({ title, gates, render }: FoldedProps): ReactNode {
  if (gates.length === 0) return null;
  return (
    <details className="lane">
      <summary>
        {title} ({gates.length})
      </summary>
      {gates.map(render)}
    </details>
  );
}
