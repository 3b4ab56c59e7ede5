import { useState, type ReactNode } from "react";
import { Dialog } from "../../components/dialog.tsx";
import type { GoalAnswer, GoalChangeReceipt, GoalStatusRequest } from "../../contract/goal.ts";
import { sayCount } from "../say-count.ts";
import { ChangeFault } from "./change-fault.tsx";
import { useChange } from "./use-change.ts";

interface StatusDialogProps {
  readonly seen: GoalAnswer;
  readonly onClose: () => void;
}

/** Pauses a goal or lets it go on: what that does, a reason, the receipt. */
export function StatusDialog({ seen, onClose }: StatusDialogProps): ReactNode {
  const { goal, turns, seq } = seen;
  const action = goal.status === "active" ? "pause" : "resume";
  const [reason, setReason] = useState("");
  const path = `/api/goals/${encodeURIComponent(goal.goal_id)}/status`;
  const { receipt, fault, isSending, send } = useChange<GoalChangeReceipt>(path);
  const request: GoalStatusRequest = { action, seq, ...(reason.trim() === "" ? {} : { reason: reason.trim() }) };
  return (
    <Dialog title={action === "pause" ? "Pause this goal" : "Resume this goal"} onClose={onClose}>
      {receipt === undefined ? (
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            send(request);
          }}
        >
          <p>
            {action === "pause"
              ? `No agent gets a new turn until you resume it. ${turns.open === 0 ? "No turn is open." : `${sayCount(turns.open, "open turn")} may still be settled.`}`
              : `Agents get turns again. It was ${goal.status}.`}
          </p>
          <label>
            Reason, for the record and the agents (may be left out)
            <textarea rows={2} value={reason} onChange={(event) => setReason(event.target.value)} />
          </label>
          {fault === undefined ? null : <ChangeFault fault={fault} />}
          <div className="actions">
            <button type="submit" className="button-main" disabled={isSending}>
              {action === "pause" ? "Pause it" : "Resume it"}
            </button>
          </div>
        </form>
      ) : (
        <p role="status">
          {receipt.changed ? "Done" : "It was so already"}: the goal is {receipt.goal.status}.
        </p>
      )}
    </Dialog>
  );
}
