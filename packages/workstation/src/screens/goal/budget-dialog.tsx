import { useState, type ReactNode } from "react";
import { Dialog } from "../../components/dialog.tsx";
import type { GoalAnswer, GoalBudgetRequest, GoalChangeReceipt } from "../../contract/goal.ts";
import { ChangeFault } from "./change-fault.tsx";
import { useChange } from "./use-change.ts";

interface BudgetDialogProps {
  readonly seen: GoalAnswer;
  readonly onClose: () => void;
}

/** Sets how many turns a goal may take. An empty field is no limit. */
export function BudgetDialog({ seen, onClose }: BudgetDialogProps): ReactNode {
  const { goal, turns, seq } = seen;
  const [total, setTotal] = useState(goal.budget_total_turns?.toString() ?? "");
  const [inWindow, setInWindow] = useState(goal.budget_window_turns?.toString() ?? "");
  const [span, setSpan] = useState(goal.budget_window ?? "1d");
  const path = `/api/goals/${encodeURIComponent(goal.goal_id)}/budget`;
  const { receipt, fault, isSending, send } = useChange<GoalChangeReceipt>(path);
  const request: GoalBudgetRequest = {
    seq,
    total_turns: total === "" ? null : Number(total),
    window_turns: inWindow === "" ? null : Number(inWindow),
    ...(inWindow === "" ? {} : { window: span }),
  };
  return (
    <Dialog title="Turn budget" onClose={onClose}>
      {receipt === undefined ? (
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            send(request);
          }}
        >
          <p>
            {turns.used} used so far, {turns.open} of them open. An empty field is no limit. Anybody may lower a limit;
            an owner raises it.
          </p>
          <label>
            Turns in all
            <input type="number" min={0} value={total} onChange={(event) => setTotal(event.target.value)} />
          </label>
          <label>
            Turns per window
            <input type="number" min={0} value={inWindow} onChange={(event) => setInWindow(event.target.value)} />
          </label>
          <label>
            Length of the window, such as 1d or 6h
            <input value={span} onChange={(event) => setSpan(event.target.value)} disabled={inWindow === ""} />
          </label>
          {fault === undefined ? null : <ChangeFault fault={fault} />}
          <div className="actions">
            <button type="submit" className="button-main" disabled={isSending}>
              Set the budget
            </button>
          </div>
        </form>
      ) : (
        <p role="status">{receipt.changed ? "The budget is set." : "The budget was so already."}</p>
      )}
    </Dialog>
  );
}
