import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync, realpathSync } from "node:fs";
import { createHash } from "node:crypto";
import { dirname, relative, sep } from "node:path";
import { sha256Hex, toCanonicalJson } from "@loopx/contracts";
import { FOLDER_LIMITS, listFolder } from "./list-folder.ts";

/** A program as it is on disk now. `folder_too_large`: its folder is over `FOLDER_LIMITS`, so nobody could say what it is. */
export type EntrypointFinding =
  | { readonly kind: "found"; readonly path: string; readonly identity: string }
  | { readonly kind: "missing" }
  | { readonly kind: "folder_too_large" };

const CHUNK_BYTES = 2 ** 18;

/**
 * What a program is: resolved path, device, inode, size, time of change and content; where it lies in the extension's own
 * folder, the same of every file there. A `touch` is a change too.
 *
 * What else a program loads, an interpreter, a library of the system, is not looked at.
 */
export function findEntrypoint(entrypoint: string, folder: string): EntrypointFinding {
  try {
    const path = realpathSync(entrypoint);
    const root = realpathSync(folder);
    const program = describeFile(path, Number.POSITIVE_INFINITY);
    if (program === undefined || !program.isExecutable) return { kind: "missing" };
    const files = isInside(path, root) ? describeFolder(root) : [];
    if (files === undefined) return { kind: "folder_too_large" };
    const { device, inode, ...rest } = program.facts;
    const facts = { path, device, inode, ...rest, ...(files.length === 0 ? {} : { files }) };
    return { kind: "found", path, identity: sha256Hex(toCanonicalJson(facts)) };
  } catch {
    return { kind: "missing" };
  }
}

function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return dirname(root) !== root && way !== "" && way !== ".." && !way.startsWith(`..${sep}`);
}

interface DescribedFile {
  readonly isExecutable: boolean;
  readonly facts: {
    readonly device: string;
    readonly inode: string;
    readonly size: number;
    readonly mtime_ns: string;
    readonly content_sha256: string;
  };
}

function describeFolder(root: string): readonly object[] | undefined {
  const paths = listFolder(root);
  let bytes = 0;
  const files: object[] = [];
  for (const path of paths ?? []) {
    const name = relative(root, path);
    if (lstatSync(path).isSymbolicLink()) {
      files.push({ name, link: readlinkSync(path) });
      continue;
    }
    const file = describeFile(path, FOLDER_LIMITS.maxBytes - bytes);
    if (file === undefined) return undefined;
    bytes += file.facts.size;
    files.push({ name, ...file.facts });
  }
  return paths === undefined ? undefined : files;
}

/** Undefined for what is no regular file or is over the limit. Never waits: a pipe is no file. */
function describeFile(path: string, maxBytes: number): DescribedFile | undefined {
  // oxlint-disable-next-line no-bitwise -- how flags of an open are joined
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = fstatSync(fd, { bigint: true });
    if (!stats.isFile() || stats.size > BigInt(Number.isFinite(maxBytes) ? maxBytes : Number.MAX_SAFE_INTEGER)) {
      return undefined;
    }
    return {
      // oxlint-disable-next-line no-bitwise -- the permission bits of a mode
      isExecutable: process.platform === "win32" || (Number(stats.mode) & 0o111) !== 0,
      facts: {
        device: String(stats.dev),
        inode: String(stats.ino),
        size: Number(stats.size),
        mtime_ns: String(stats.mtimeNs),
        content_sha256: digestFile(fd),
      },
    };
  } finally {
    closeSync(fd);
  }
}

function digestFile(fd: number): string {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let count = readSync(fd, chunk); count > 0; count = readSync(fd, chunk)) hash.update(chunk.subarray(0, count));
  return hash.digest("hex");
}
