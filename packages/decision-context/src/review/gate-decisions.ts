import type { Refusal } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";

/** An owner's word on one proposal. */
export interface GateVerdict {
  readonly gateTodoId: string;
  readonly disposition: "approve" | "reject" | "defer";
  readonly decidedAt: string;
}

export interface OpenedGate {
  readonly ok: true;
  readonly gateTodoId: string;
  /** Null while nobody decided. */
  readonly verdict: GateVerdict | null;
}

/** Where owners decide: the control plane's gates, inside the transaction of whoever asks. */
export interface GateDecisions {
  /** The gate on a scope, made where it is missing. */
  open(
    tx: Transaction,
    gate: { readonly goalId: string; readonly scope: string; readonly question: string },
  ): Promise<OpenedGate | Refusal>;
  /** The gate on a scope with what was decided so far. */
  load(tx: Transaction, gate: { readonly goalId: string; readonly scope: string }): Promise<OpenedGate | Refusal>;
}
