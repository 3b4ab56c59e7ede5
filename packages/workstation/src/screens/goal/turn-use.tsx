import type { ReactNode } from "react";
import { Bar } from "../../components/bar.tsx";
import type { GoalAnswer } from "../../contract/goal.ts";
import { sayCount } from "../say-count.ts";
import { TurnChart } from "./turn-chart.tsx";
import { TurnTable } from "./turn-table.tsx";

/** What the goal has used of its budget, and its turns over time. */
export function TurnUse({ answer }: { readonly answer: GoalAnswer }): ReactNode {
  const { goal, turns } = answer;
  const { budget_total_turns: total, budget_window_turns: perWindow, budget_window: span } = goal;
  return (
    <section aria-labelledby="turns-title" className="lane">
      <h2 id="turns-title">Turns</h2>
      <p>
        <strong>{turns.used.toLocaleString("en")}</strong>
        {total === null
          ? ` ${turns.used === 1 ? "turn" : "turns"} used, no limit`
          : ` of ${sayCount(total, "turn")} used`}
        {turns.open === 0 ? "" : `, ${turns.open} open`}
      </p>
      {total === null ? null : <Bar value={turns.used} most={total} label="Turns used of the budget" />}
      {perWindow === null || span === null ? null : (
        <>
          <p>
            {turns.used_in_window} of {perWindow} in the last {span}
          </p>
          <Bar value={turns.used_in_window} most={perWindow} label={`Turns used in ${span}`} />
        </>
      )}
      <TurnChart days={turns.days} />
      {turns.latest.length === 0 ? (
        <p className="quiet">No agent had a turn yet.</p>
      ) : (
        <details>
          <summary>Latest turns</summary>
          <TurnTable goalId={goal.goal_id} turns={turns.latest} />
        </details>
      )}
    </section>
  );
}
