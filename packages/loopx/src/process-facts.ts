import { fstatSync, statSync } from "node:fs";

/** What a command may want to know about where it runs. Each fact is looked up when it is asked for. */
export interface ProcessFacts {
  readonly isStdinTerminal: boolean;
  readonly isStdoutTerminal: boolean;
  readonly isStderrTerminal: boolean;
  /** Width of the terminal on stdout; 80 where there is none. */
  readonly columns: number;
  /** The command runs for the page of a Workstation that an owner started. Nothing outside of this process sets it. */
  readonly isOwnersWorkstation?: true;
}

export function createProcessFacts(): ProcessFacts {
  return {
    get isStdinTerminal() {
      return isTerminal(0);
    },
    get isStdoutTerminal() {
      return isTerminal(1);
    },
    get isStderrTerminal() {
      return isTerminal(2);
    },
    get columns() {
      return isTerminal(1) ? Math.max(40, process.stdout.columns || 80) : 80;
    },
  };
}

/** `node:tty` brings the network modules along, so pipes, files and the null device are told apart without it. */
function isTerminal(descriptor: 0 | 1 | 2): boolean {
  try {
    const stream = fstatSync(descriptor);
    if (!stream.isCharacterDevice() || stream.rdev === statSync("/dev/null").rdev) return false;
  } catch {
    // A descriptor that was closed before we ran.
    return false;
  }
  return process.getBuiltinModule("node:tty").isatty(descriptor);
}
