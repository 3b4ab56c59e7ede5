/** Signals that end a command early, with the exit code a shell gives them. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** Listens for signals while a command runs; a resource: `stop` it before the answer is written. */
export interface Interruption {
  /** Runs before the process ends, last added first. */
  readonly onInterrupt: (cleanup: () => void) => void;
  /**
   * Settles with the next signal instead of ending the process: for a command that serves until it is told to stop. One
   * more signal ends the process as usual.
   */
  readonly untilInterrupted: () => Promise<void>;
  readonly stop: () => void;
}

/** Calls `end` with the exit code when the first signal comes, after the cleanups. */
export function startInterruption(end: (exitCode: number) => void): Interruption {
  const cleanups: (() => void)[] = [];
  let settle: (() => void) | undefined;
  const interrupt = (signal: NodeJS.Signals): void => {
    if (settle !== undefined) {
      settle();
      settle = undefined;
      return;
    }
    stop();
    for (const cleanup of cleanups.toReversed()) runQuietly(cleanup);
    end(signal === "SIGTERM" ? EXIT_CODES.SIGTERM : EXIT_CODES.SIGINT);
  };
  const stop = (): void => {
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", interrupt);
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  return {
    onInterrupt: (cleanup) => cleanups.push(cleanup),
    untilInterrupted: () =>
      new Promise<void>((resolve) => {
        settle = resolve;
      }),
    stop,
  };
}

/** One cleanup that fails must not keep the others, or the exit, from happening. */
function runQuietly(cleanup: () => void): void {
  try {
    cleanup();
  } catch {
    // The process is ending; there is nobody left to tell.
  }
}
