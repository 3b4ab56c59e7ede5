import { useEffect, useState, type ReactNode } from "react";
import { Dialog } from "../../components/dialog.tsx";
import type { GateDecisionReceipt, GateDecisionRequest, GateRow } from "../../contract/goal.ts";
import { sayActor } from "../say-actor.ts";
import { sayCount } from "../say-count.ts";
import { ChangeFault } from "./change-fault.tsx";
import { useChange } from "./use-change.ts";

interface GateDialogProps {
  readonly goalId: string;
  readonly gate: GateRow;
  readonly verdict: GateDecisionRequest["decision"];
  /** The event up to which the person saw the gate. */
  readonly seq: number;
  readonly onClose: () => void;
}

const TITLES = { approve: "Approve", reject: "Reject", defer: "Defer" } as const;

/** Decides a gate: what it would change, asked of the server; a reason; the verdict; its receipt. */
export function GateDialog({ goalId, gate, verdict, seq, onClose }: GateDialogProps): ReactNode {
  const path = `/api/goals/${encodeURIComponent(goalId)}/gates/${encodeURIComponent(gate.gate_id)}/decision`;
  const [reason, setReason] = useState("");
  const [until, setUntil] = useState("");
  const preview = useChange<GateDecisionReceipt>(path);
  const decision = useChange<GateDecisionReceipt>(path);
  const request: Omit<GateDecisionRequest, "preview"> = {
    decision: verdict,
    seq,
    ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
    ...(verdict === "defer" && until.trim() !== "" ? { until: until.trim() } : {}),
  };
  useEffect(() => {
    preview.send({ decision: verdict, seq, preview: true });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- asked once, for what the person saw
  }, []);
  if (decision.receipt !== undefined) {
    return (
      <Dialog title="Decided" onClose={onClose}>
        <Receipt receipt={decision.receipt} />
        <div className="actions">
          <button type="button" className="button-main" onClick={onClose}>
            Done
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={`${TITLES[verdict]} this gate`} onClose={onClose}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          decision.send({ ...request, preview: false });
        }}
      >
        <p className="question">{gate.question}</p>
        <div className="preview" aria-live="polite">
          {preview.receipt === undefined ? (
            preview.fault === undefined ? (
              <p className="faint">Looking at what that would change…</p>
            ) : (
              <ChangeFault fault={preview.fault} />
            )
          ) : (
            <p>{sayEffect(verdict, gate, preview.receipt)}</p>
          )}
        </div>
        {verdict === "defer" ? (
          <label>
            Ask me again: a time such as 2030-01-31T09:00:00Z, or after 2h or 3d (empty: never by itself)
            <input value={until} onChange={(event) => setUntil(event.target.value)} />
          </label>
        ) : null}
        <label>
          Reason, for the record and the agents (may be left out)
          <textarea rows={2} value={reason} onChange={(event) => setReason(event.target.value)} />
        </label>
        {decision.fault === undefined ? null : <ChangeFault fault={decision.fault} />}
        <div className="actions">
          <button
            type="submit"
            className={verdict === "reject" ? "button-bad" : "button-main"}
            disabled={decision.isSending || preview.receipt === undefined}
          >
            Confirm: {TITLES[verdict].toLowerCase()}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function sayEffect(verdict: GateDialogProps["verdict"], gate: GateRow, receipt: GateDecisionReceipt): string {
  if (!receipt.changed) return "It is decided so already; nothing would change.";
  const count = receipt.affected_todo_count ?? receipt.affected_todo_ids?.length ?? 0;
  switch (verdict) {
    case "approve":
      if (receipt.goal_revision !== undefined) {
        return `The proposed objective comes into force as revision ${receipt.goal_revision}.`;
      }
      return gate.block_count === 0
        ? "The agent goes on knowing that you approve."
        : `What it holds may go on.${count === 0 ? "" : ` ${sayCount(count, "todo")} that your rejection blocked ${count === 1 ? "is" : "are"} freed.`}`;
    case "reject":
      return gate.kind === "objective_edit"
        ? "The objective stays as it is."
        : `What it holds stays held.${count === 0 ? "" : ` ${sayCount(count, "todo")} ${count === 1 ? "becomes" : "become"} blocked; claims on ${count === 1 ? "it" : "them"} end.`}`;
    case "defer":
      return "What it holds waits on, and agents are not sent to you about it until then.";
  }
}

function Receipt({ receipt }: { readonly receipt: GateDecisionReceipt }): ReactNode {
  const { gate, changed, affected_todo_ids: affected = [], affected_todo_count: count } = receipt;
  return (
    <div className="receipt" role="status">
      <p>
        <strong>
          {changed ? "" : "Already "}
          {gate.decision}
        </strong>
        {gate.decided_by === undefined ? "" : ` by ${sayActor(gate.decided_by)}`}. It is on record in the goal’s
        timeline.
      </p>
      {gate.reason === undefined ? null : <p>Reason: {gate.reason}</p>}
      {affected.length === 0 ? null : (
        <p>
          Changed with it: {affected.join(", ")}
          {count === undefined ? "" : ` and ${count - affected.length} more`}
        </p>
      )}
      {receipt.goal_revision === undefined ? null : <p>The goal is now at revision {receipt.goal_revision}.</p>}
    </div>
  );
}
