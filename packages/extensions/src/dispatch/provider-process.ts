import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Of a request, an answer, and what is written to stderr, each. */
export const STREAM_MAX_BYTES = 1_000_000;
/** Between SIGTERM and SIGKILL, in which our own end may be delayed: short, since an agent waits. */
const GRACE_MS = 25;
/** For what the program wrote before it ended to arrive, where a process that left its group keeps the pipe open. */
const DRAIN_MS = 100;

export interface ProviderStart {
  /** Program and arguments, executed directly. */
  readonly argv: readonly string[];
  /** Written to stdin, which then ends. */
  readonly input: Uint8Array;
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** By the wall clock, from now. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** How a provider's process ended. What it wrote to stderr is counted and never kept. */
export type ProviderEnd =
  | {
      readonly kind: "exited";
      /** Null when a signal ended it. */
      readonly exitCode: number | null;
      readonly stdout: Buffer;
      /** Whether it left something in its working directory, which is gone by now. */
      readonly hasLeftFiles: boolean;
    }
  | { readonly kind: ProviderStop };

export type ProviderStop = "timeout" | "aborted" | "execution_failed" | "response_too_large" | "stderr_too_large";

/**
 * Runs a provider's program to its end, or ends it: no shell, its own process group, an empty working directory that is
 * removed afterwards, pipes that are read up to their limit.
 *
 * The answer never waits past the deadline: it is given then, our ends of the pipes are closed, the group gets SIGTERM and
 * shortly after SIGKILL. The group is killed after an ordinary end too, and before this process ends. A child that leaves
 * its group is out of reach.
 */
export async function runProviderProcess(start: ProviderStart): Promise<ProviderEnd> {
  if (start.signal?.aborted === true) return { kind: "aborted" };
  const directory = createWorkingDirectory();
  if (directory === undefined) return { kind: "execution_failed" };
  return new Promise((resolve) => {
    const child = startProgram(start, directory);
    if (child === undefined) {
      removeDirectory(directory);
      resolve({ kind: "execution_failed" });
      return;
    }
    const output: Buffer[] = [];
    let graceTimer: NodeJS.Timeout | undefined;
    let drainTimer: NodeJS.Timeout | undefined;

    /** Leaves nothing of the program behind; also when this process is about to end. */
    const sweep = (): void => {
      clearTimeout(graceTimer);
      clearTimeout(drainTimer);
      process.off("exit", sweep);
      killGroup(child, "SIGKILL");
      removeDirectory(directory);
    };
    const answer = (end: ProviderEnd): void => {
      clearTimeout(deadline);
      start.signal?.removeEventListener("abort", abort);
      closePipes(child);
      resolve(end);
    };
    const stop = (kind: ProviderStop): void => {
      if (graceTimer !== undefined) return;
      killGroup(child, "SIGTERM");
      graceTimer = setTimeout(sweep, GRACE_MS);
      answer({ kind });
    };
    const abort = (): void => {
      answer({ kind: "aborted" });
      sweep();
    };
    const finish = (exitCode: number | null): void => {
      const hasLeftFiles = countEntries(directory) > 0;
      answer({ kind: "exited", exitCode, stdout: Buffer.concat(output), hasLeftFiles });
      sweep();
    };
    const deadline = setTimeout(() => stop("timeout"), start.timeoutMs);

    process.on("exit", sweep);
    start.signal?.addEventListener("abort", abort, { once: true });
    readUpTo(
      child.stdout,
      (chunk) => output.push(chunk),
      () => stop("response_too_large"),
    );
    readUpTo(
      child.stderr,
      () => undefined,
      () => stop("stderr_too_large"),
    );
    child.once("error", () => {
      answer({ kind: "execution_failed" });
      sweep();
    });
    child.once("exit", (exitCode) => {
      killGroup(child, "SIGKILL");
      if (graceTimer === undefined) drainTimer = setTimeout(() => finish(exitCode), DRAIN_MS);
      else sweep();
    });
    child.once("close", (exitCode) => {
      if (graceTimer === undefined) finish(exitCode);
    });
    // A program that reads nothing closes the pipe; that is its own affair.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(start.input);
  });
}

function startProgram({ argv, environment }: ProviderStart, directory: string): ChildProcess | undefined {
  const [program = "", ...words] = argv;
  try {
    return spawn(program, words, { cwd: directory, env: environment, stdio: "pipe", detached: true, shell: false });
  } catch {
    // A word with NUL, or more of them than the system takes.
    return undefined;
  }
}

function readUpTo(stream: ChildProcess["stdout"], keep: (chunk: Buffer) => void, stop: () => void): void {
  let bytes = 0;
  stream?.on("error", () => undefined);
  stream?.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > STREAM_MAX_BYTES) stop();
    else keep(chunk);
  });
}

function closePipes({ stdin, stdout, stderr }: ChildProcess): void {
  for (const pipe of [stdin, stdout, stderr]) pipe?.destroy();
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended already.
  }
}

function createWorkingDirectory(): string | undefined {
  try {
    return mkdtempSync(join(tmpdir(), "loopx-provider-"));
  } catch {
    return undefined;
  }
}

function countEntries(directory: string): number {
  try {
    return readdirSync(directory).length;
  } catch {
    return 1;
  }
}

function removeDirectory(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    // A folder that its program locked stays: empty of what we gave it, which is nothing.
  }
}
