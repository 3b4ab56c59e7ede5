import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import type { BlockReason } from "@loopx/host-commands";
import type { HostFile } from "./host-roots.ts";

/** Settings are small; a larger file is something else, or not worth what reading it costs. */
const LARGEST_FILE = 1024 * 1024;

/** What is at a host's file. `path` is where it really is, or would be. */
export type Reading =
  | { readonly kind: "absent"; readonly path: string }
  | { readonly kind: "text"; readonly path: string; readonly text: string; readonly mode: number }
  | { readonly kind: "blocked"; readonly reason: BlockReason };

/**
 * Reads a file below a boundary. A link on the way is followed only where it stays inside: a cloned repository or a shared
 * home must not lead a write elsewhere. The boundary itself may be a link, since its owner made it one.
 */
export function readContainedFile({ boundary, path }: HostFile): Reading {
  try {
    return read(boundary, path.split("/"));
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOTDIR") return blocked("not_a_file");
    if (code === "ENOENT" || code === "ELOOP") return blocked("symlink_leaves_root");
    if (typeof code === "string" && code.startsWith("E")) return blocked("not_readable");
    throw error;
  }
}

function read(boundary: string, names: readonly string[]): Reading {
  if (lstatSync(boundary, { throwIfNoEntry: false }) === undefined) {
    return { kind: "absent", path: join(boundary, ...names) };
  }
  const root = realpathSync(boundary);
  let path = root;
  for (const [at, name] of names.entries()) {
    path = join(path, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { kind: "absent", path: join(path, ...names.slice(at + 1)) };
    if (stats.isSymbolicLink()) path = realpathSync(path);
    if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) return blocked("symlink_leaves_root");
  }
  return readText(path);
}

function readText(path: string): Reading {
  // eslint-disable-next-line no-bitwise -- how flags of an open are joined
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return blocked("not_a_file");
    if (stats.size > LARGEST_FILE) return blocked("too_large");
    const bytes = readFileSync(fd);
    if (!isUtf8(bytes)) return blocked("not_utf8");
    // eslint-disable-next-line no-bitwise -- the permission bits of a mode
    return { kind: "text", path, text: bytes.toString("utf8"), mode: stats.mode & 0o777 };
  } finally {
    closeSync(fd);
  }
}

function blocked(reason: BlockReason): Reading {
  return { kind: "blocked", reason };
}
