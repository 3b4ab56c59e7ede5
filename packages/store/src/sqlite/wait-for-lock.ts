import { isLockHeld } from "./sqlite-errors.ts";

const LONGEST_PAUSE_MS = 25;

/**
 * Attempts a call until no other connection holds the lock, at most for `limitMs`; then throws the engine's last error.
 *
 * The engine's own waiting would block the thread: a transaction of the same process that holds the lock could never end.
 * A limit of 0 means one attempt.
 */
export async function waitForLock<Result>(attempt: () => Result, limitMs: number): Promise<Result> {
  let deadline: number | undefined;
  for (let round = 1; ; round += 1) {
    try {
      return attempt();
    } catch (error) {
      if (!isLockHeld(error)) throw error;
      deadline ??= performance.now() + limitMs;
      const remainingMs = deadline - performance.now();
      if (remainingMs <= 0) throw error;
      await pause(Math.min(remainingMs, toPauseMs(round)));
    }
  }
}

// Random, or processes that collided once would collide again.
function toPauseMs(round: number): number {
  return Math.min(round * 2, LONGEST_PAUSE_MS) * (0.5 + Math.random());
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, durationMs);
  });
}
