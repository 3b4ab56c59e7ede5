import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { LoopxError } from "@loopx/contracts";

const CHUNK_BYTES = 2 ** 20;

export interface FileNamed {
  /** Absolute. */
  readonly path: string;
  /** The flag that named it, without dashes: `evidence_file`. */
  readonly field: string;
  readonly maxBytes: number;
  /** What to do when it cannot be read. */
  readonly hint: string;
}

/**
 * Reads a file that a caller named, whole.
 *
 * Refuses with `file_not_readable`, never with the path, and never waits: a pipe or a device is no file.
 */
export function readNamedFile(named: FileNamed): Buffer {
  return withNamedFile(named, (fd, { size }) => {
    const bytes = readAtMost(fd, size === 0 ? named.maxBytes + 1 : size + 1);
    if (bytes.length > named.maxBytes) throw toTooLargeError(named);
    return bytes;
  });
}

/** The same for a file that nobody named and that may be missing: undefined for whatever is refused. */
export function findFileContent(path: string, maxBytes: number): Buffer | undefined {
  try {
    return readNamedFile({ path, maxBytes, field: "file", hint: "" });
  } catch {
    return undefined;
  }
}

/** As `readNamedFile`, for who reads the open file in parts. */
export function withNamedFile<Result>(named: FileNamed, read: (fd: number, stats: Stats) => Result): Result {
  let fd: number;
  try {
    // eslint-disable-next-line no-bitwise -- how flags of an open are joined
    fd = openSync(named.path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    throw toUnreadable(named, "cannot be read", error);
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw toUnreadable(named, "is no regular file");
    if (stats.size > named.maxBytes) throw toTooLargeError(named);
    return read(fd, stats);
  } catch (error) {
    if (error instanceof LoopxError) throw error;
    throw toUnreadable(named, "cannot be read", error);
  } finally {
    closeSync(fd);
  }
}

function toUnreadable({ field, hint }: FileNamed, what: string, cause?: unknown): LoopxError {
  return new LoopxError("file_not_readable", {
    message: `the file named with --${field.replaceAll("_", "-")} ${what}`,
    hint,
    details: { field },
    ...(cause === undefined ? {} : { cause }),
  });
}

function toTooLargeError(named: FileNamed): LoopxError {
  return toUnreadable(named, `is larger than ${named.maxBytes} bytes`);
}

/** A file of the system that says it is empty, like those in `/proc`, may have no end. */
function readAtMost(fd: number, limit: number): Buffer {
  const chunks: Buffer[] = [];
  let length = 0;
  while (length < limit) {
    const chunk = Buffer.allocUnsafe(Math.min(limit - length, CHUNK_BYTES));
    const count = readSync(fd, chunk);
    if (count === 0) break;
    chunks.push(chunk.subarray(0, count));
    length += count;
  }
  return Buffer.concat(chunks, length);
}
