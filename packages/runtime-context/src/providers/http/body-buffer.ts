/** Collects a body of bounded size. */
export interface BodyBuffer {
  /** Makes room for a body of this length, so that growing towards it leaves no garbage. Lies are harmless: only what comes is written. */
  reserve(length: number): void;
  /** False once the body is over its limit. */
  add(chunk: Buffer): boolean;
  toBytes(): Buffer;
}

const FIRST_BYTES = 4096;

/**
 * A buffer that copies what it is given: a chunk of one byte can hold on to 64 KiB of socket buffer, and a hostile
 * provider sends a million of them.
 */
export function createBodyBuffer(maxBytes: number): BodyBuffer {
  let bytes = Buffer.allocUnsafe(Math.min(FIRST_BYTES, maxBytes));
  let length = 0;
  return {
    reserve(declared) {
      if (declared > bytes.length && declared <= maxBytes) bytes = Buffer.allocUnsafeSlow(declared);
    },
    add(chunk) {
      if (length + chunk.length > maxBytes) return false;
      if (length + chunk.length > bytes.length) {
        const larger = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(bytes.length * 2, length + chunk.length)));
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      chunk.copy(bytes, length);
      length += chunk.length;
      return true;
    },
    toBytes: () => bytes.subarray(0, length),
  };
}
