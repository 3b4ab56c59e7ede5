import { spawn, type ChildProcess } from "node:child_process";
import type { AgentCommand } from "./driver.ts";

/** How the command of one turn ended. */
export interface AgentEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it was told to end, where it was. */
  readonly endedBy: "timeout" | "interrupt" | undefined;
  readonly couldStart: boolean;
}

/** What ends a command early. */
export interface AgentStops {
  readonly timeoutMs: number;
  /** Settles when the person at the driver wants it to end. */
  readonly interrupted: Promise<void>;
  /** Given a way to kill the command at once, for a second signal. */
  readonly onStart: (kill: () => void) => void;
}

/** Between asking and killing. */
const GRACE_MS = 5000;

/**
 * Runs the command of one turn: direct argv, no shell, its own process group, the input on stdin, its output where it
 * belongs, unread.
 *
 * Told to end, the group gets SIGTERM, and SIGKILL five seconds later. What the command leaves behind in its group ends
 * with it: a turn is bounded.
 */
export async function runAgent(command: AgentCommand, input: string, stops: AgentStops): Promise<AgentEnd> {
  const child = start(command);
  if (child === undefined) return { exitCode: null, signal: null, endedBy: undefined, couldStart: false };
  return new Promise((settle) => {
    let endedBy: AgentEnd["endedBy"];
    let killTimer: NodeJS.Timeout | undefined;
    const end = (why: NonNullable<AgentEnd["endedBy"]>): void => {
      if (endedBy !== undefined || child.exitCode !== null) return;
      endedBy = why;
      killGroup(child, "SIGTERM");
      killTimer = setTimeout(() => killGroup(child, "SIGKILL"), GRACE_MS);
    };
    const deadline = setTimeout(() => end("timeout"), stops.timeoutMs);
    stops.onStart(() => killGroup(child, "SIGKILL"));
    void stops.interrupted.then(() => end("interrupt"));
    const finish = (result: Pick<AgentEnd, "exitCode" | "signal" | "couldStart">): void => {
      clearTimeout(deadline);
      clearTimeout(killTimer);
      settle({ ...result, endedBy });
    };
    child.once("error", () => finish({ exitCode: null, signal: null, couldStart: false }));
    child.once("exit", (exitCode, signal) => {
      killGroup(child, "SIGKILL");
      finish({ exitCode, signal, couldStart: true });
    });
    // A command that reads nothing closes the pipe; that is its own affair.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}

/** Some failures, such as a file that is being written, Node throws at once; others come as an event. */
function start({ argv, cwd, env, stdoutTo }: AgentCommand): ChildProcess | undefined {
  const [program = "", ...words] = argv;
  try {
    return spawn(program, words, {
      cwd,
      env: { ...env },
      stdio: ["pipe", stdoutTo === "stdout" ? 1 : 2, 2],
      detached: true,
      shell: false,
    });
  } catch (error) {
    if (error instanceof Error && "syscall" in error) return undefined;
    throw error;
  }
}

function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended already.
  }
}
