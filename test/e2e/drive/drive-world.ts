import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { RunOptions } from "../../support/cli-world.ts";
import { listRows, loadProjectState, type StateRow } from "../../support/project-state.ts";
import type { ProgramResult } from "../../support/run-program.ts";
import type { WorkingGoal } from "../../support/working-goal.ts";

/** The words that run one of the agents in `test/e2e/fixtures`. */
export function agentThat(name: string, ...words: readonly string[]): readonly string[] {
  const file = fileURLToPath(new URL(`../fixtures/agent-that-${name}.mjs`, import.meta.url));
  return [process.execPath, file, ...words];
}

/** The command line of a drive of `agent-1`. */
export function driveWords(
  { goalId }: WorkingGoal,
  agent: readonly string[],
  ...flags: readonly string[]
): readonly string[] {
  return ["drive", `--goal-id=${goalId}`, "--agent-id=agent-1", ...flags, "--", ...agent];
}

/** Drives to the end. */
export function drive(
  goal: WorkingGoal,
  agent: readonly string[],
  flags: readonly string[] = [],
  options?: RunOptions,
): Promise<ProgramResult> {
  return goal.world.run(driveWords(goal, agent, ...flags), options);
}

/** A drive that is under way. */
export interface RunningDrive {
  readonly process: ChildProcess;
  readonly ended: Promise<{ readonly exitCode: number | null; readonly stdout: string }>;
}

/** Starts a drive and leaves it running. */
export function startDrive(goal: WorkingGoal, agent: readonly string[], ...flags: readonly string[]): RunningDrive {
  const { world } = goal;
  const child = spawn(process.execPath, [world.program, "--json", ...driveWords(goal, agent, ...flags)], {
    cwd: world.project,
    env: world.env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  const ended = new Promise<{ exitCode: number | null; stdout: string }>((resolve) =>
    child.once("exit", (exitCode) => resolve({ exitCode, stdout })),
  );
  return { process: child, ended };
}

/** Waits for the processes of an agent that stays. */
export async function readPids(file: string): Promise<readonly number[]> {
  for (let tries = 0; tries < 2000; tries += 1) {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    if (text.endsWith("]")) return JSON.parse(text) as readonly number[];
    await pause(10);
  }
  throw new Error(`nobody wrote ${file}`);
}

/** Waits until none of the processes lives. */
export async function untilGone(pids: readonly number[]): Promise<void> {
  for (let tries = 0; tries < 2000; tries += 1) {
    if (!pids.some(isAlive)) return;
    await pause(10);
  }
  throw new Error(`still alive: ${pids.filter(isAlive).join(", ")}`);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that has ended and that nobody has waited for yet still takes signals.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

export function toStorePath({ world }: WorkingGoal): string {
  return join(world.project, ".loopx", "state.db");
}

/** The rows of a table, as an export has them. */
export async function rowsOf({ world }: WorkingGoal, table: string): Promise<readonly StateRow[]> {
  return listRows(await loadProjectState(world), table);
}
