import { toCanonicalJson } from "./canonical-json.ts";

/** `sha256:` and 64 lower-case hexadecimal digits. */
export type Digest = `sha256:${string}`;

/** SHA-256 of bytes, or of text as UTF-8, in lower-case hexadecimal. */
export function sha256Hex(data: string | Uint8Array): string {
  // Loaded on first use: most commands of the bundle need this package but no digest.
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(data).digest("hex");
}

/** Digest of a JSON value over its canonical form: equal values have equal digests. Errors as `toCanonicalJson`. */
export function digestOf(value: unknown): Digest {
  return `sha256:${sha256Hex(toCanonicalJson(value))}`;
}
