import { fileURLToPath } from "node:url";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "../../support/run-program.ts";
import type { World } from "../../support/cli-world.ts";
import { readField } from "../../support/read-field.ts";
import { count, type SoakRecord } from "./soak-record.ts";

/** An answer that reached its caller; undefined where the program was killed before. */
export type SoakAnswer = { readonly isOk: boolean; readonly json: unknown } | undefined;

export interface SoakCommands {
  readonly run: (args: readonly string[]) => Promise<SoakAnswer>;
  /** The largest memory of a command that was asked for it, by the words of the command. */
  readonly peaks: Map<string, number>;
}

/** Refusals that an agent meets whose lease ended, whose goal has a budget, or who came second. */
const EXPECTED = new Set([
  "lease_lost",
  "turn_not_held",
  "turn_already_settled",
  "todo_not_open",
  "todo_not_runnable",
  "todo_claimed_by_other",
  "todo_changed",
  "evidence_already_recorded",
  "evidence_required",
  "gate_already_decided",
  "turn_not_settled",
  "turns_unsettled",
  // Thirty agents at one SQLite store on a slow machine: whoever waited too long asks again.
  "store_busy",
]);

const PEAK_PROBE = fileURLToPath(new URL("../../../bench/print-peak.cjs", import.meta.url));
const KILLED_PART = 0.15;
const MEASURED_PART = 0.08;

/** Starts programs, kills some of them at any moment of their life, and keeps count. */
export function createSoakCommands(world: World, record: SoakRecord, random: () => number): SoakCommands {
  const peaks = new Map<string, number>();
  let usualMs = 400;
  const run = async (args: readonly string[]): Promise<SoakAnswer> => {
    const isKilled = random() < KILLED_PART;
    const moment = random();
    const isMeasured = !isKilled && random() < MEASURED_PART;
    record.commands += 1;
    const startedAt = performance.now();
    const peakFile = join(world.directory, `peak-${record.commands}`);
    const result = await runProgram(process.execPath, [world.program, "--json", ...args], {
      cwd: world.project,
      env: {
        ...world.env,
        ...(isMeasured ? { NODE_OPTIONS: `--require ${PEAK_PROBE}`, LOOPX_BENCH_PEAK: peakFile } : {}),
      },
      ...(isKilled ? { killAfterMs: Math.floor(moment * usualMs * 1.3) } : {}),
    });
    if (result.signal === "SIGKILL") record.kills += 1;
    else usualMs = usualMs * 0.9 + (performance.now() - startedAt) * 0.1;
    if (isMeasured) notePeak(peaks, args, peakFile);
    if (result.json === undefined) {
      if (result.signal !== "SIGKILL")
        record.faults.push(`${args.join(" ")}: ${result.exitCode} ${result.stdout}${result.stderr}`);
      return undefined;
    }
    // The guard answers with a code of its own.
    const code = readField(result.json, "error", "code") ?? readField(result.json, "code");
    if (typeof code === "string") count(record.refusals, code);
    if (typeof code === "string" && !EXPECTED.has(code)) record.faults.push(`${args.join(" ")}: ${result.stdout}`);
    return { isOk: readField(result.json, "ok") === true, json: result.json };
  };
  return { run, peaks };
}

function notePeak(peaks: Map<string, number>, args: readonly string[], file: string): void {
  const bytes = Number(readField(JSON.parse(readFileSync(file, "utf8")), "peakBytes"));
  rmSync(file);
  const words = args.filter((word) => !word.startsWith("-")).join(" ");
  peaks.set(words, Math.max(peaks.get(words) ?? 0, bytes));
}
