import { fromRefusal } from "@loopx/contracts";
import { askNextTurn, type NextTurn, type NextTurnRequest } from "@loopx/control-plane";
import { renderFailedAsk, toAskRefusal } from "../commands/quota/should-run.ts";
import type { CommandResult } from "../output/command-result.ts";
import type { ShownContext } from "../packets/should-run/decision-body.ts";
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
  const { goalId, agentId, driverId, contextProfile, ambient } = driver;
  const request = { goalId, agentId, driverId, turnId: turnId ?? null, threadId: null, leaseTtlMs: DRIVE_LEASE_MS };
  try {
    const { next, context } = await (contextProfile === undefined
      ? askPlainly(driver, request)
      : askInContext(driver, request, contextProfile));
    return { next, result: renderShouldRun(next, { goalId, agentId, now: ambient.now(), context }) };
  } catch (error) {
    return { next: undefined, result: renderFailedAsk(error, { flags: { goalId, agentId }, ambient }) };
  }
}

interface Asked {
  readonly next: NextTurn;
  readonly context?: ShownContext | undefined;
}

function askPlainly({ goalId, globals, ambient }: Driver, request: NextTurnRequest): Promise<Asked> {
  return withGoal({ globals, ambient, goalId }, "write", async (project) => {
    await assertTrusted(project, ambient);
    const next = await askNextTurn(project.database, request, ambient);
    if (!next.ok) throw fromRefusal(next);
    return { next };
  });
}

async function askInContext(driver: Driver, request: NextTurnRequest, profile: string): Promise<Asked> {
  const { goalId, globals, ambient } = driver;
  const asking = await import("../goal-context/ask-in-context.ts");
  return asking.askInContext(
    {
      query: { globals, ambient, goalId },
      profile,
      toRequest: async () => request,
      toError: (refusal, database) => toAskRefusal(refusal, database, goalId),
    },
    ambient,
  );
}
