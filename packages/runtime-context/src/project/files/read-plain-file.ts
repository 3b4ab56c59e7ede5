import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { FileFault } from "./file-rules.ts";

/**
 * The bytes of a plain file under a root, read once, or why they are not taken.
 *
 * Every name on the way is looked at: no symbolic link anywhere, no directory, FIFO, device or socket, no second hard link,
 * and the file that is opened is the one that was looked at. `path` must have passed `findPathFault`; `root` is trusted.
 */
export function readPlainFile(root: string, path: string, maxBytes: number): Buffer | FileFault {
  try {
    const seen = lookAt(root, path);
    return "rule" in seen ? seen : readSeenFile(join(root, path), seen, maxBytes);
  } catch (error) {
    return toFault(error);
  }
}

/** What `path` leads to, without following a link. */
function lookAt(root: string, path: string): Stats | FileFault {
  const names = path.split("/");
  for (let length = 1; length < names.length; length += 1) {
    const directory = lstatSync(join(root, ...names.slice(0, length)));
    if (!directory.isDirectory()) return notPlain("leads through a symbolic link or something that is no directory");
  }
  return lstatSync(join(root, path));
}

function readSeenFile(absolutePath: string, seen: Stats, maxBytes: number): Buffer | FileFault {
  const early = findFileFault(seen, maxBytes);
  if (early !== undefined) return early;
  // Not to wait for a writer, should a FIFO have taken the file's place.
  const file = openSync(absolutePath, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const opened = fstatSync(file);
    if (opened.ino !== seen.ino || opened.dev !== seen.dev) return notPlain("was replaced while it was read");
    return findFileFault(opened, maxBytes) ?? readWhole(file, opened.size, maxBytes);
  } finally {
    closeSync(file);
  }
}

function findFileFault(stats: Stats, maxBytes: number): FileFault | undefined {
  if (stats.isSymbolicLink()) return notPlain("is a symbolic link");
  if (!stats.isFile()) return notPlain("is not a regular file");
  if (stats.nlink > 1) return notPlain("has a second name (hard link), so it may be a file from elsewhere");
  if (stats.size > maxBytes) return { rule: "TOO_LARGE", message: `is ${stats.size} bytes, the limit is ${maxBytes}` };
  return undefined;
}

/** A file may grow while it is read; one byte more than it had tells. */
function readWhole(file: number, size: number, maxBytes: number): Buffer | FileFault {
  const buffer = Buffer.allocUnsafe(Math.min(size, maxBytes) + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < buffer.length; length += read) {
    read = readSync(file, buffer, length, buffer.length - length, null);
  }
  return length > size ? notPlain("grew while it was read") : buffer.subarray(0, length);
}

function notPlain(message: string): FileFault {
  return { rule: "NOT_A_PLAIN_FILE", message };
}

function toFault(error: unknown): FileFault {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return { rule: "NOT_READABLE", message: "does not exist" };
  if (code === "ELOOP") return notPlain("is a symbolic link");
  if (code === undefined) throw error;
  return { rule: "NOT_READABLE", message: `cannot be read (${code})` };
}
