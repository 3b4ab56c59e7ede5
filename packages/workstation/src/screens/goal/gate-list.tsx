import type { ReactNode } from "react";
import type { GoalAnswer } from "../../contract/goal.ts";
import { GateCard } from "./gate-card.tsx";

/** The gates that still ask or hold; those without an answer first. */
export function GateList({ answer }: { readonly answer: GoalAnswer }): ReactNode {
  const { gates, gate_count: gateCount, seq, goal } = answer;
  if (gateCount === 0) return null;
  const undecided = gates.filter(({ decision }) => decision === null);
  const decided = gates.filter(({ decision }) => decision !== null);
  return (
    <section aria-labelledby="gates-title" className="lane">
      <h2 id="gates-title">
        Gates <span className="count">{gateCount}</span>
      </h2>
      {undecided.map((gate) => (
        <GateCard key={gate.gate_id} goalId={goal.goal_id} gate={gate} seq={seq} />
      ))}
      {decided.length === 0 ? null : (
        <details>
          <summary>Decided, and still holding something ({decided.length})</summary>
          {decided.map((gate) => (
            <GateCard key={gate.gate_id} goalId={goal.goal_id} gate={gate} seq={seq} />
          ))}
        </details>
      )}
      {gateCount > gates.length ? <p className="quiet">and {gateCount - gates.length} more</p> : null}
    </section>
  );
}
