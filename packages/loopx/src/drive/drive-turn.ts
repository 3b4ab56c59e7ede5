import { cutText, formatDuration, toEpochMs } from "@loopx/contracts";
import type { NextTurn } from "@loopx/control-plane";
import { renderTurnPrompt } from "@loopx/host-commands";
import type { Driver } from "./driver.ts";
import { keepLease } from "./keep-lease.ts";
import { runAgent, type AgentEnd } from "./run-agent.ts";
import { settleTurn, type Settlement } from "./settle-turn.ts";

/** One turn that a driver took, as its packet shows it. */
export interface DrivenTurn extends Settlement {
  readonly turnId: string;
  readonly todoId: string;
  readonly end: AgentEnd;
  readonly ranMs: number;
  /** It ended otherwise than by itself with exit code 0, or showed nothing. */
  readonly hasFailed: boolean;
}

/** Graphemes of a todo's first line that a note shows. */
const TEXT_SHOWN = 80;

/** What a running driver has of the person who started it. */
export interface DriveWorld {
  readonly note: (line: string) => void;
  readonly interrupted: Promise<void>;
  /** Set while a command runs: kills it at once. */
  readonly setKill: (kill: (() => void) | undefined) => void;
}

/** Runs the command for the turn that the guard opened, keeps its lease meanwhile, and settles what is left. */
export async function driveTurn(
  driver: Driver,
  opened: { readonly next: NextTurn; readonly packet: object },
  world: DriveWorld,
): Promise<DrivenTurn> {
  const { turn, todo } = opened.next;
  if (turn === null) throw new RangeError("a decision to run holds a turn");
  const { ambient, command, limits } = driver;
  world.note(
    `${turn.turn_id}: ${todo === null ? "plan what comes next" : cutText(todo.text.split("\n")[0] ?? "", TEXT_SHOWN).text}`,
  );
  const startedAt = toEpochMs(ambient.now());
  const lease = keepLease(driver, turn.turn_id);
  const input =
    command.input === "packet" ? `${JSON.stringify(opened.packet)}\n` : renderTurnPrompt(driver, opened.packet);
  const stops = { timeoutMs: limits.turnTimeoutMs, interrupted: world.interrupted, onStart: world.setKill };
  const end = await runKept(() => runAgent(command, input, stops), lease);
  world.setKill(undefined);
  const ranMs = Math.max(0, toEpochMs(ambient.now()) - startedAt);
  const settlement = await settleTurn(driver, turn.turn_id, { end, ranMs });
  const hasFailed = end.exitCode !== 0 || end.endedBy !== undefined || settlement.evidenceBy !== "agent";
  const driven = { turnId: turn.turn_id, todoId: turn.todo_id, end, ranMs, hasFailed, ...settlement };
  world.note(describeTurn(driven));
  return driven;
}

/** A lease that went on being renewed after a fault would keep the process, and the lane, for ever. */
async function runKept(run: () => Promise<AgentEnd>, lease: ReturnType<typeof keepLease>): Promise<AgentEnd> {
  try {
    return await run();
  } finally {
    await lease.stop();
  }
}

function describeTurn({ turnId, end, ranMs, outcome, evidenceBy, chargedBy }: DrivenTurn): string {
  const how = end.couldStart ? (end.signal ?? `exit code ${end.exitCode ?? "unknown"}`) : "could not be started";
  const shown =
    evidenceBy === "nobody" ? "the turn was lost to another holder" : `${outcome} recorded by the ${evidenceBy}`;
  return `${turnId}: ${how} after ${formatDuration(ranMs)}; ${shown}, charged by ${chargedBy === "nobody" ? "nobody" : `the ${chargedBy}`}`;
}
