import type { Assembly } from "../evidence/assembly.ts";
import type { OutcomeReceipt } from "../outcome/outcome-receipt.ts";
import type { Proposal } from "./proposal.ts";

/** A decision that waits for its review: public packets, and privately the cursors that settling it sets. */
export interface PreparedReview {
  readonly assembly: Assembly;
  /** Null where nothing changed that matters: there is nothing to decide. */
  readonly proposal: Proposal | null;
  readonly proposedCursors: Readonly<Record<string, string>>;
  readonly expectedCursors: Readonly<Record<string, string | null>>;
  /** Of the profile's bytes: under another profile the evidence would be another. */
  readonly profileDigest: string;
  readonly outcome: OutcomeReceipt | null;
}

export function checkpointRefOf({ assembly }: PreparedReview): string {
  return assembly.cursor_checkpoint.checkpoint_ref;
}
