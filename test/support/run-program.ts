import { spawn } from "node:child_process";

/** How a process ended, and all it wrote. */
export interface ProgramResult {
  /** Null when a signal ended the process. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Stdout parsed; undefined when it is not one JSON document. */
  readonly json: unknown;
}

export interface ProgramOptions {
  readonly cwd: string;
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  /** What the process reads on stdin; without it stdin is at its end. */
  readonly input?: string | undefined;
  /** User and group the process runs as; only root may choose. */
  readonly uid?: number | undefined;
  /** Sends SIGKILL this long after the start, unless the process has ended. */
  readonly killAfterMs?: number | undefined;
}

/** Runs a program to its end, whatever end that is. */
export function runProgram(file: string, args: readonly string[], options: ProgramOptions): Promise<ProgramResult> {
  const { cwd, env, uid, input = "", killAfterMs } = options;
  const user = uid === undefined ? {} : { uid, gid: uid };
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, ...user, stdio: "pipe" });
    const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfterMs);
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    // A process that ends without reading its input closes the pipe; that is no failure of the test.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    child.on("error", reject);
    child.on("close", (exitCode, signal) => {
      clearTimeout(timer);
      resolve({ exitCode, signal, stdout, stderr, json: parseDocument(stdout) });
    });
  });
}

function parseDocument(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
