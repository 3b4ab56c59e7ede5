import { spawn } from "node:child_process";
import { redactTail } from "@loopx/contracts";
import type { ValidationCommand, ValidationResult } from "@loopx/control-plane";

/** Output kept while the command runs; what comes before is dropped. */
const KEPT_BYTES = 64 * 1024;
/** Characters of the tail that are recorded. */
const SHOWN_CHARACTERS = 600;
/** For the last output to arrive after the end, when a process outside the group still holds the pipes. */
const DRAIN_MS = 1_000;
/** Between asking and killing. */
const GRACE_MS = 2_000;

export interface ValidationPlace {
  readonly directory: string;
  readonly kind: "root" | "worktree";
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs a todo's validation command: direct argv, no shell, no input, its own process group.
 *
 * At the deadline the group is asked to end, then killed, and our ends of its pipes are closed, so a grandchild that
 * keeps them open cannot hold us. The output is redacted, then cut to its tail.
 */
export async function runValidation(
  command: ValidationCommand,
  place: ValidationPlace,
  onStart: (kill: () => void) => void,
): Promise<ValidationResult> {
  const [program = "", ...rest] = command.argv;
  const base = { label: command.label, ran_in: place.kind };
  return new Promise((settle) => {
    const child = spawn(program, rest, {
      cwd: place.directory,
      env: { ...place.env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
      shell: false,
    });
    let tail = Buffer.alloc(0);
    let hasLostStart = false;
    let hasTimedOut = false;
    const keep = (chunk: Buffer): void => {
      tail = Buffer.concat([tail, chunk]);
      if (tail.length <= KEPT_BYTES) return;
      tail = tail.subarray(tail.length - KEPT_BYTES);
      hasLostStart = true;
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    const kill = (signal: NodeJS.Signals): void => killGroup(child.pid, signal);
    onStart(() => kill("SIGKILL"));
    const closePipes = (): void => {
      child.stdout.destroy();
      child.stderr.destroy();
    };
    let killTimer: NodeJS.Timeout | undefined;
    let closeTimer: NodeJS.Timeout | undefined;
    const deadline = setTimeout(() => {
      hasTimedOut = true;
      kill("SIGTERM");
      killTimer = setTimeout(() => {
        kill("SIGKILL");
        closePipes();
      }, GRACE_MS);
    }, command.timeout_ms);
    const finish = (exitCode: number | null, output: string): void => {
      clearTimeout(deadline);
      clearTimeout(killTimer);
      clearTimeout(closeTimer);
      const isPassed = exitCode === 0 && !hasTimedOut;
      settle({
        ...base,
        status: isPassed ? "passed" : "failed",
        exit_code: exitCode,
        timed_out: hasTimedOut,
        output: output === "" ? null : output,
      });
    };
    child.once("error", () => finish(null, "the program could not be started"));
    // What the command left behind ends with it: it would keep the pipes open, and "close" would never come.
    child.once("exit", () => {
      kill("SIGKILL");
      closeTimer = setTimeout(closePipes, DRAIN_MS);
    });
    child.once("close", (exitCode) => finish(exitCode, toTail(tail, hasLostStart)));
  });
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended already.
  }
}

function toTail(output: Buffer, hasLostStart: boolean): string {
  const text = output.toString("utf8").replaceAll("\u0000", "").toWellFormed().trimEnd();
  return redactTail(text, { hasLostStart, maxLength: SHOWN_CHARACTERS });
}
