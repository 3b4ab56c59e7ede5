import { type Dirent, constants } from "node:fs";
import { lstat, readdir, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { SessionScope } from "../session-scope.ts";

export interface TranscriptFile {
  readonly path: string;
  readonly isCompressed: boolean;
}

export interface FoundTranscripts {
  /** Whether the host keeps sessions here at all. */
  readonly hasStore: boolean;
  /** Whether a folder could not be looked into: then not finding a session says nothing. */
  readonly hasUnreadable: boolean;
  /** Plain files first, the newest first among each. */
  readonly files: readonly TranscriptFile[];
}

/** How a transcript is opened: reading only, never through a symbolic link, never waiting for a pipe's other end. */
export const OPEN_TRANSCRIPT = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

type MutableFound = { hasStore: boolean; hasUnreadable: boolean; files: (TranscriptFile & { changedAtMs: number })[] };

/**
 * The files whose name says that they hold exactly this session.
 *
 * A root itself may be a link, as homes are often laid out; below it no link is followed. Throws when `signal` is aborted.
 */
export async function findTranscripts(
  scope: SessionScope,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<FoundTranscripts> {
  const found: MutableFound = { hasStore: false, hasUnreadable: false, files: [] };
  for (const root of listHistoryRoots(scope.host, environment)) await searchFolder(root, scope.host.rootDepth);
  const files = found.files.toSorted(
    (left, right) =>
      Number(left.isCompressed) - Number(right.isCompressed) ||
      right.changedAtMs - left.changedAtMs ||
      (left.path < right.path ? -1 : 1),
  );
  return { ...found, files };

  async function searchFolder(folder: string, depth: number): Promise<void> {
    signal.throwIfAborted();
    const entries = await listEntries(folder, depth === scope.host.rootDepth);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && depth > 0) await searchFolder(path, depth - 1);
      else if (entry.isFile()) await takeFile(path, entry.name);
    }
  }

  async function listEntries(folder: string, isRoot: boolean): Promise<readonly Dirent[]> {
    try {
      const entries = await readdir(isRoot ? await realpath(folder) : folder, { withFileTypes: true });
      found.hasStore = true;
      return entries;
    } catch (error) {
      if (!isMissing(error)) found.hasUnreadable = true;
      return [];
    }
  }

  async function takeFile(path: string, name: string): Promise<void> {
    const named = scope.host.parseFileName(name);
    if (named?.sessionId !== scope.sessionId) return;
    const changedAtMs = await lstat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
    found.files.push({ path, isCompressed: named.isCompressed, changedAtMs });
  }
}

/** Where a host's sessions lie on this machine. */
export function listHistoryRoots(host: SessionScope["host"], environment: NodeJS.ProcessEnv): readonly string[] {
  return host.listRoots(environment, environment["HOME"] || homedir());
}

/** Whether an error of the file system says that there is nothing there. */
export function isMissing(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP";
}
