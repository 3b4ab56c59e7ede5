import { isLoopxError } from "@loopx/contracts";
import { renewTurn } from "@loopx/control-plane";
import { withGoal } from "../project/resolve-project.ts";
import { DRIVE_LEASE_MS, type Driver } from "./driver.ts";

/**
 * Renews the lease of an open turn until it is stopped. The store is open only for the moment of a renewal.
 *
 * A renewal that fails is tried again at its next time: the lease lasts three of them.
 */
export function keepLease(driver: Driver, turnId: string): { readonly stop: () => Promise<void> } {
  const { goalId, globals, ambient } = driver;
  let running: Promise<void> = Promise.resolve();
  const renew = async (): Promise<void> => {
    const lease = { goalId, turnId, leaseTtlMs: DRIVE_LEASE_MS };
    try {
      await withGoal({ globals, ambient, goalId }, "write", ({ database }) => renewTurn(database, lease, ambient));
    } catch (error) {
      if (!isLoopxError(error)) throw error;
    }
  };
  const timer = setInterval(() => {
    running = running.then(renew);
  }, DRIVE_LEASE_MS / 3);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
