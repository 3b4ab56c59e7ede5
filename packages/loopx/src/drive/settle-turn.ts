import { isLoopxError, formatDuration, type LoopxError } from "@loopx/contracts";
import {
  findEvidenceOfTurn,
  findTurn,
  recordEvidence,
  spendTurn,
  type Caller,
  type EvidenceOutcome,
} from "@loopx/control-plane";
import type { Database } from "@loopx/store";
import { unwrap } from "../packets/unwrap.ts";
import { withGoal } from "../project/resolve-project.ts";
import { DRIVE_LEASE_MS, type Driver } from "./driver.ts";
import type { AgentEnd } from "./run-agent.ts";

/** What became of a turn once its command had ended. */
export interface Settlement {
  /** Who showed what the turn came to; `nobody` for one that was lost to another holder. */
  readonly evidenceBy: "agent" | "driver" | "nobody";
  readonly chargedBy: "agent" | "driver" | "nobody";
  readonly outcome: EvidenceOutcome | undefined;
}

/** Events say that the driver wrote, not the agent. */
const DRIVER: Caller = { actor: { kind: "process", host: "loopx-drive" }, threadId: null };

/**
 * Settles what the command left unsettled. What it recorded and charged itself stays as it is.
 *
 * A command that recorded nothing gets `no_change` with how it ended: no progress is claimed that nobody saw, and its todo
 * isn't blocked for others on account of a command that failed.
 */
export async function settleTurn(
  driver: Driver,
  turnId: string,
  how: { readonly end: AgentEnd; readonly ranMs: number },
): Promise<Settlement> {
  const { goalId, globals, ambient } = driver;
  return withGoal({ globals, ambient, goalId }, "write", async ({ database }) => {
    const { turn, evidence } = await database.read(async (tx) => ({
      turn: await findTurn(tx, goalId, turnId),
      evidence: await findEvidenceOfTurn(tx, goalId, turnId),
    }));
    if (turn?.state === "settled") {
      return { evidenceBy: "agent", chargedBy: "agent", outcome: evidence?.outcome };
    }
    if (evidence !== undefined) {
      return { evidenceBy: "agent", chargedBy: await charge(driver, database, turnId), outcome: evidence.outcome };
    }
    if (!(await recordEnd(driver, database, { turnId, text: describeEnd(how) }))) {
      return { evidenceBy: "nobody", chargedBy: "nobody", outcome: undefined };
    }
    return { evidenceBy: "driver", chargedBy: await charge(driver, database, turnId), outcome: "no_change" };
  });
}

/** Charges a turn that has evidence. */
export async function chargeTurn(driver: Driver, turnId: string): Promise<void> {
  const { goalId, globals, ambient } = driver;
  await withGoal({ globals, ambient, goalId }, "write", ({ database }) => charge(driver, database, turnId));
}

async function charge(driver: Driver, database: Database, turnId: string): Promise<"driver" | "nobody"> {
  const { goalId, agentId, ambient } = driver;
  try {
    unwrap(await spendTurn(database, { goalId, caller: DRIVER, agentId, turnId, todoId: null }, ambient));
    return "driver";
  } catch (error) {
    if (isLost(error)) return "nobody";
    throw error;
  }
}

async function recordEnd(
  driver: Driver,
  database: Database,
  { turnId, text }: { readonly turnId: string; readonly text: string },
): Promise<boolean> {
  const { goalId, agentId, ambient } = driver;
  const request = {
    goalId,
    caller: DRIVER,
    agentId,
    turnId,
    todoId: null,
    outcome: "no_change",
    text,
    files: [],
    validation: null,
    leaseTtlMs: DRIVE_LEASE_MS,
  } as const;
  try {
    unwrap(await recordEvidence(database, request, ambient));
    return true;
  } catch (error) {
    if (isLost(error)) return false;
    throw error;
  }
}

/** Its lease ran out, and whoever holds the todo now has a turn of their own. */
function isLost(error: unknown): error is LoopxError {
  return isLoopxError(error) && (error.code === "lease_lost" || error.code === "unknown_turn");
}

/** How a command ended, in one sentence: all that a driver knows of the work. */
export function describeEnd({ end, ranMs }: { readonly end: AgentEnd; readonly ranMs: number }): string {
  if (!end.couldStart) return "The driven command could not be started.";
  const how = end.signal === null ? `with exit code ${end.exitCode ?? "unknown"}` : `by ${end.signal}`;
  const why = end.endedBy === undefined ? "" : end.endedBy === "timeout" ? " at its time limit" : " when interrupted";
  return `The driven command ended ${how}${why} after ${formatDuration(ranMs)} and recorded nothing.`;
}
