import { fromRefusal } from "@loopx/contracts";
import { askNextTurn, type NextTurn } from "@loopx/control-plane";
import { renderFailedAsk } from "../commands/quota/should-run.ts";
import type { CommandResult } from "../output/command-result.ts";
import { renderShouldRun } from "../packets/should-run/should-run.ts";
import { assertTrusted } from "../project/assert-trusted.ts";
import { withGoal } from "../project/resolve-project.ts";
import { DRIVE_LEASE_MS, type Driver } from "./driver.ts";

/** The guard's answer: what it decided, none where the state could not be acted on, and its packet. */
export interface GuardAnswer {
  readonly next: NextTurn | undefined;
  readonly result: CommandResult;
}

/** Asks what the lane may do next, as `quota should-run` does, under the driver's own label. */
export async function askGuard(driver: Driver, turnId: string | undefined): Promise<GuardAnswer> {
  const { goalId, agentId, driverId, globals, ambient } = driver;
  try {
    return await withGoal({ globals, ambient, goalId }, "write", async (project) => {
      await assertTrusted(project, ambient);
      const request = { goalId, agentId, driverId, turnId: turnId ?? null, threadId: null, leaseTtlMs: DRIVE_LEASE_MS };
      const next = await askNextTurn(project.database, request, ambient);
      if (!next.ok) throw fromRefusal(next);
      return { next, result: renderShouldRun(next, { goalId, agentId, now: ambient.now() }) };
    });
  } catch (error) {
    return { next: undefined, result: renderFailedAsk(error, { flags: { goalId, agentId }, ambient }) };
  }
}
