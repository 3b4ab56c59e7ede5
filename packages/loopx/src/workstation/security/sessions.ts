import { randomBytes } from "node:crypto";
import { toSecretDigest } from "./one-time-tokens.ts";

/** A browser that is not used for this long has to be let in again. */
export const SESSION_IDLE_MS = 12 * 3_600_000;

const SESSION_BYTES = 32;
/** Each is a link that was opened; the one used longest ago gives way. */
const MOST_SESSIONS = 64;

/** The browsers that were let in since the server began. Only digests are kept. */
export interface Sessions {
  /** The secret of a new one, for its cookie. */
  readonly open: () => string;
  /** Whether this is the secret of one; used, it stays for another twelve hours. */
  readonly isOpen: (secret: string) => boolean;
}

/** `clockMs` counts milliseconds and never goes back. */
export function createSessions(clockMs: () => number): Sessions {
  const usedMsByDigest = new Map<string, number>();
  const use = (digest: string): void => {
    usedMsByDigest.delete(digest);
    usedMsByDigest.set(digest, clockMs());
  };
  return {
    open: () => {
      const secret = randomBytes(SESSION_BYTES).toString("base64url");
      use(toSecretDigest(secret));
      const [oldest] = usedMsByDigest.keys();
      if (usedMsByDigest.size > MOST_SESSIONS && oldest !== undefined) usedMsByDigest.delete(oldest);
      return secret;
    },
    isOpen: (secret) => {
      const digest = toSecretDigest(secret);
      const usedMs = usedMsByDigest.get(digest);
      if (usedMs === undefined) return false;
      if (clockMs() - usedMs >= SESSION_IDLE_MS) {
        usedMsByDigest.delete(digest);
        return false;
      }
      use(digest);
      return true;
    },
  };
}
