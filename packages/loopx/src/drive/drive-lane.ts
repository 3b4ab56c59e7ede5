import { formatDuration } from "@loopx/contracts";
import type { CommandResult } from "../output/command-result.ts";
import { askGuard } from "./ask-guard.ts";
import { toBackoffMs, toFraction } from "./backoff.ts";
import { decideStep, type StopReason, type TurnElsewhere } from "./decide-step.ts";
import { driveTurn, type DrivenTurn, type DriveWorld } from "./drive-turn.ts";
import type { Driver } from "./driver.ts";
import { chargeTurn } from "./settle-turn.ts";

/** How a drive came to its end. */
export interface DriveEnd {
  readonly stoppedBy: StopReason;
  /** The guard's answer that ended it. */
  readonly answer: CommandResult | undefined;
  readonly turns: readonly DrivenTurn[];
}

/**
 * Drives a lane: asks the guard, runs the command for one turn, settles, backs off as told, and goes on until it is told to
 * stop, has taken its turns, fails too often in a row, or is interrupted.
 *
 * It holds nothing between two steps but the turn that is in the store: the next drive goes on from there.
 */
export async function driveLane(driver: Driver, world: DriveWorld): Promise<DriveEnd> {
  const { limits, ambient } = driver;
  const turns: DrivenTurn[] = [];
  let isInterrupted = false;
  void world.interrupted.then(() => (isInterrupted = true));
  const end = (stoppedBy: StopReason, answer?: CommandResult): DriveEnd => ({ stoppedBy, answer, turns });
  const pause = async (ms: number, why: string): Promise<void> => {
    world.note(`waiting ${formatDuration(ms)}: ${why.replaceAll("_", " ")}`);
    await sleep(ms, world.interrupted);
  };

  let resumes = driver.resumes;
  let seen: TurnElsewhere | undefined;
  let failures = 0;
  while (turns.length < limits.maxTurns) {
    if (isInterrupted) return end("interrupted");
    const { next, result } = await askGuard(driver, resumes);
    if (next === undefined) return end(isRefused(result) ? "refused" : "repair", result);
    const step = decideStep(next, seen, ambient.now());
    seen = undefined;
    if (step.kind === "stop") return end(step.by, result);
    if (step.kind === "charge") {
      await chargeTurn(driver, step.turnId);
      continue;
    }
    if (step.kind === "wait") {
      if (limits.stopsOnWait) return end("wait", result);
      if (step.reason === "turn_open_elsewhere" && next.turn !== null) seen = next.turn;
      await pause(step.ms, step.reason);
      continue;
    }
    const driven = await driveTurn(driver, { next, packet: result.packet ?? {} }, world);
    resumes = undefined;
    turns.push(driven);
    failures = driven.hasFailed ? failures + 1 : 0;
    if (isInterrupted) return end("interrupted");
    if (failures >= limits.maxFailures || !driven.end.couldStart) return end("failing");
    if (failures > 0 && turns.length < limits.maxTurns) {
      await pause(toBackoffMs(failures, toFraction(ambient.newId("jitter"))), "the_last_turn_failed");
    }
  }
  return end("max_turns");
}

function isRefused({ packet }: CommandResult): boolean {
  return packet !== undefined && "decision" in packet && packet.decision === "refused";
}

/** Ends early when interrupted. */
async function sleep(ms: number, interrupted: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const slept = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([slept, interrupted]);
  clearTimeout(timer);
}
