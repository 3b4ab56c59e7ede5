import { createHash, randomBytes } from "node:crypto";

/** How long a link may lie about before it is opened. */
export const TOKEN_LIFE_MS = 5 * 60_000;

const TOKEN_BYTES = 32;

/** Tokens that let a browser in: 256 bits each, good once, for minutes. Only digests are kept. */
export interface OneTimeTokens {
  readonly create: () => string;
  /** Whether this is a token that was neither used nor has expired. From then on it is used. */
  readonly use: (token: string) => boolean;
}

/** `clockMs` counts milliseconds and never goes back. */
export function createOneTimeTokens(clockMs: () => number): OneTimeTokens {
  const expiryByDigest = new Map<string, number>();
  return {
    create: () => {
      const token = randomBytes(TOKEN_BYTES).toString("base64url");
      for (const [digest, expiryMs] of expiryByDigest) if (expiryMs <= clockMs()) expiryByDigest.delete(digest);
      expiryByDigest.set(toSecretDigest(token), clockMs() + TOKEN_LIFE_MS);
      return token;
    },
    use: (token) => {
      const digest = toSecretDigest(token);
      const expiryMs = expiryByDigest.get(digest);
      expiryByDigest.delete(digest);
      return expiryMs !== undefined && expiryMs > clockMs();
    },
  };
}

/** What is kept and looked up in place of a secret: how long a look-up takes then tells nothing about the secret. */
export function toSecretDigest(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}
