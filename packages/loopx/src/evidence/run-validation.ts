import { spawn } from "node:child_process";
import { redact } from "@loopx/contracts";
import type { ValidationCommand, ValidationResult } from "@loopx/control-plane";

/** Output kept while the command runs; what comes before is dropped. */
const KEPT_BYTES = 64 * 1024;
/** Characters of the tail that are recorded. */
const SHOWN_CHARACTERS = 600;
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
 * keeps them open cannot hold us. The tail of the output is capped and redacted.
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
    let hasTimedOut = false;
    const keep = (chunk: Buffer): void => {
      tail = Buffer.concat([tail, chunk]);
      if (tail.length > KEPT_BYTES) tail = tail.subarray(tail.length - KEPT_BYTES);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    const kill = (signal: NodeJS.Signals): void => killGroup(child.pid, signal);
    onStart(() => kill("SIGKILL"));
    let killTimer: NodeJS.Timeout | undefined;
    const deadline = setTimeout(() => {
      hasTimedOut = true;
      kill("SIGTERM");
      killTimer = setTimeout(() => {
        kill("SIGKILL");
        child.stdout.destroy();
        child.stderr.destroy();
      }, GRACE_MS);
    }, command.timeout_ms);
    const finish = (exitCode: number | null, output: string): void => {
      clearTimeout(deadline);
      clearTimeout(killTimer);
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
    child.once("close", (exitCode) => {
      kill("SIGKILL");
      finish(exitCode, toTail(tail));
    });
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

function toTail(output: Buffer): string {
  const text = output.toString("utf8").replaceAll("\u0000", "").toWellFormed().trimEnd();
  return redact(text.slice(-SHOWN_CHARACTERS * 2)).text.slice(-SHOWN_CHARACTERS).toWellFormed();
}

