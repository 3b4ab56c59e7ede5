import { addMs, type Ambient, type Instant } from "@loopx/contracts";
import type { Database, Transaction } from "@loopx/store";
import { findTurn } from "./turn-rows.ts";
import type { Turn } from "./turn.ts";

/**
 * Extends the lease of an open turn, and of the claim it was opened with: a holder that lives says so. Never shortens one.
 *
 * False, with nothing written, where the turn is no longer open.
 */
export async function renewTurn(
  database: Database,
  lease: { readonly goalId: string; readonly turnId: string; readonly leaseTtlMs: number },
  ambient: Pick<Ambient, "now">,
): Promise<boolean> {
  return database.write(async (tx) => {
    const turn = await findTurn(tx, lease.goalId, lease.turnId);
    if (turn?.state !== "open") return false;
    await extendLease(tx, turn, addMs(ambient.now(), lease.leaseTtlMs));
    return true;
  });
}

/** Makes turn and claim last until then, unless they last longer. A claim that moved on to another epoch stays as it is. */
export async function extendLease(tx: Transaction, turn: Turn, until: Instant): Promise<void> {
  await tx.run(
    "UPDATE turns SET lease_expires_at = ? WHERE goal_id = ? AND turn_id = ? AND lease_expires_at < ?",
    until,
    turn.goal_id,
    turn.turn_id,
    until,
  );
  await tx.run(
    "UPDATE todos SET claim_expires_at = ? WHERE goal_id = ? AND todo_id = ? AND claim_epoch = ? AND claim_expires_at < ?",
    until,
    turn.goal_id,
    turn.todo_id,
    turn.claim_epoch,
    until,
  );
}
