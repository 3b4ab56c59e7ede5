/** Collects a body of bounded size. */
export interface BodyBuffer {
  /** Makes room for a body of this length, so that growing towards it leaves no garbage. Lies are harmless: only what comes is written. */
  reserve(length: number): void;
  /** False once the body is over its limit. */
  add(chunk: Buffer): boolean;
  toBytes(): Buffer;
}

const FIRST_BYTES = 4096;
const NOTHING = Buffer.alloc(0);
/** From here on the memory is given back at once when the body was read, and doesn't wait for a collection. */
const LARGE_BYTES = 131_072;

/**
 * A buffer that copies what it is given: a chunk of one byte can hold on to 64 KiB of socket buffer, and a hostile
 * provider sends a million of them.
 */
export function createBodyBuffer(maxBytes: number): BodyBuffer {
  let bytes: Buffer = NOTHING;
  let length = 0;
  const grow = (wanted: number): void => {
    const larger = allocate(wanted);
    bytes.copy(larger, 0, 0, length);
    releaseBody(bytes);
    bytes = larger;
  };
  return {
    reserve(declared) {
      if (declared > bytes.length && declared <= maxBytes) grow(declared);
    },
    add(chunk) {
      if (length + chunk.length > maxBytes) {
        releaseBody(bytes);
        return false;
      }
      if (length + chunk.length > bytes.length) {
        grow(Math.min(maxBytes, Math.max(FIRST_BYTES, bytes.length * 2, length + chunk.length)));
      }
      chunk.copy(bytes, length);
      length += chunk.length;
      return true;
    },
    toBytes: () => bytes.subarray(0, length),
  };
}

function allocate(length: number): Buffer {
  return length < LARGE_BYTES
    ? Buffer.allocUnsafe(length)
    : Buffer.from(new ArrayBuffer(length, { maxByteLength: length }));
}

/** Gives back the memory of a large body, which is empty then. */
export function releaseBody({ buffer }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.resizable) buffer.resize(0);
}
