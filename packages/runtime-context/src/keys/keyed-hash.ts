import { createHmac, createSecretKey, hash } from "node:crypto";

/** HMAC-SHA-256 under one key, as 64 hexadecimal digits. Parts are one text, put together or not. */
export type KeyedHash = (data: string | readonly string[]) => string;

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
/** UTF-16 units, of up to three bytes each. Longer texts are hashed where they stand. */
const SHORT_DATA = 4096;

/**
 * A keyed hash for a key of at most 64 bytes.
 *
 * Of short data it is made by its definition, a hash over the key's two padded blocks (RFC 2104): making and dropping an
 * HMAC object costs several times what it does, and a turn needs half a dozen.
 */
export function createKeyedHash(key: Uint8Array): KeyedHash {
  const secret = createSecretKey(key);
  const inner = createPadded(key, 0x36, 3 * SHORT_DATA);
  const outer = createPadded(key, 0x5c, DIGEST_BYTES);
  const hashShort = (parts: readonly string[]): string => {
    let end = BLOCK_BYTES;
    for (const part of parts) end += inner.write(part, end);
    outer.write(hash("sha256", inner.subarray(0, end), "hex"), BLOCK_BYTES, "hex");
    return hash("sha256", outer, "hex");
  };
  const hashLong = (parts: readonly string[]): string => {
    const hmac = createHmac("sha256", secret);
    for (const part of parts) hmac.update(part);
    return hmac.digest("hex");
  };
  return (data) => {
    const parts = typeof data === "string" ? [data] : data;
    return countUnits(parts) <= SHORT_DATA ? hashShort(parts) : hashLong(parts);
  };
}

function countUnits(parts: readonly string[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}

/** The key's block, filled up with zeroes and crossed with `pad`, and room behind it. */
function createPadded(key: Uint8Array, pad: number, room: number): Buffer {
  const padded = Buffer.alloc(BLOCK_BYTES + room, pad);
  for (const [index, byte] of key.entries()) padded[index] = byte ^ pad;
  return padded;
}
