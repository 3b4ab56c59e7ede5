import { createHmac, createSecretKey, hash } from "node:crypto";

/** HMAC-SHA-256 under one key, as 64 hexadecimal digits. Parts are one text, put together or not. */
export type KeyedHash = (data: string | readonly string[]) => string;

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
/** UTF-16 units, of up to three bytes each: an item of 64 KiB and what stands around it. Longer texts are hashed where they stand. */
const COPIED_UNITS = 81_920;
/** Most data is far below it, and a process that never sees more keeps no more. */
const SHORT_UNITS = 4096;

/**
 * A keyed hash for a key of at most 64 bytes.
 *
 * It is made by its definition, a hash over the key's two padded blocks (RFC 2104), for all but the longest texts: making
 * and dropping an HMAC object costs several short digests, and a turn needs half a dozen.
 */
export function createKeyedHash(key: Uint8Array): KeyedHash {
  const secret = createSecretKey(key);
  const inner = createPadded(key, 0x36);
  const outer = Buffer.concat([createPadded(key, 0x5c), Buffer.alloc(DIGEST_BYTES)]);
  const hashCopied = (parts: readonly string[], room: Buffer): string => {
    inner.copy(room);
    let end = BLOCK_BYTES;
    for (const part of parts) end += room.write(part, end);
    outer.write(hash("sha256", room.subarray(0, end), "hex"), BLOCK_BYTES, "hex");
    return hash("sha256", outer, "hex");
  };
  const hashWhereItStands = (parts: readonly string[]): string => {
    const hmac = createHmac("sha256", secret);
    for (const part of parts) hmac.update(part);
    return hmac.digest("hex");
  };
  return (data) => {
    const parts = typeof data === "string" ? [data] : data;
    const room = findRoom(countUnits(parts));
    return room === undefined ? hashWhereItStands(parts) : hashCopied(parts, room);
  };
}

/** One at a time needs it: no digest is begun within another. */
const shortRoom = Buffer.alloc(BLOCK_BYTES + 3 * SHORT_UNITS);
let largeRoom: Buffer | undefined;

function findRoom(unitCount: number): Buffer | undefined {
  if (unitCount <= SHORT_UNITS) return shortRoom;
  if (unitCount > COPIED_UNITS) return undefined;
  largeRoom ??= Buffer.alloc(BLOCK_BYTES + 3 * COPIED_UNITS);
  return largeRoom;
}

function countUnits(parts: readonly string[]): number {
  let count = 0;
  for (const { length } of parts) count += length;
  return count;
}

/** The key's block, filled up with zeroes and crossed with `pad`. */
function createPadded(key: Uint8Array, pad: number): Buffer {
  const padded = Buffer.alloc(BLOCK_BYTES, pad);
  for (const [index, byte] of key.entries()) padded[index] = byte ^ pad;
  return padded;
}
