import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { isLoopxError, LoopxError } from "@loopx/contracts";
import { makeDirectories, toFileError } from "@loopx/store";
import { BLOB_DIRECTORY, MANIFEST_FILE, toBuildName } from "./build-directory.ts";
import type { ContextBuild } from "./context-build.ts";
import { renderManifest } from "./create-build.ts";
import { loadBuild } from "./load-build.ts";

/**
 * Writes a build to `<directory>/build-<first 12 hex digits>` and gives that path.
 *
 * Idempotent, and whole: the directory appears with everything in it or not at all, also with several writers. A damaged
 * build of this name is replaced. Nothing is synced to disk: what a power loss takes is found by its digests and made again.
 * Refuses with `file_not_writable`, `store_full`.
 */
export async function writeBuild(build: ContextBuild, directory: string): Promise<string> {
  const target = join(directory, toBuildName(build.digest));
  if (await isWritten(build, target)) return target;
  // Unique, so that writers don't meet in it; of a killed one it stays and is no build to anybody.
  const temporary = join(directory, `.${toBuildName(build.digest)}.${randomUUID()}.tmp`);
  try {
    makeDirectories(directory, 0o777);
    writeContent(build, temporary);
    await publish(build, temporary, target);
  } catch (error) {
    throw toFileError(error, toBuildName(build.digest));
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return target;
}

/** Synchronous: a build has up to thousands of small files, and nobody is served meanwhile. */
function writeContent(build: ContextBuild, temporary: string): void {
  mkdirSync(join(temporary, BLOB_DIRECTORY), { recursive: true });
  for (const [sha256, text] of build.blobs)
    writeFileSync(join(temporary, BLOB_DIRECTORY, sha256), text, { flag: "wx" });
  writeFileSync(join(temporary, MANIFEST_FILE), renderManifest(build.manifest), { flag: "wx" });
}

async function publish(build: ContextBuild, temporary: string, target: string): Promise<void> {
  if (await renameToFree(temporary, target)) return;
  // Another writer was faster, or what is there is damaged.
  if (await isWritten(build, target)) return;
  const damaged = `${temporary}.damaged`;
  await rename(target, damaged);
  try {
    if (!(await renameToFree(temporary, target)) && !(await isWritten(build, target))) {
      throw new LoopxError("store_failed", { message: "another process keeps writing a damaged build of this name" });
    }
  } finally {
    await rm(damaged, { recursive: true, force: true });
  }
}

/** A directory that has something in it is never replaced by a rename. */
async function renameToFree(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
    if (code === "ENOTEMPTY" || code === "EEXIST" || code === "ENOTDIR" || code === "EPERM") return false;
    throw error;
  }
}

async function isWritten(build: ContextBuild, target: string): Promise<boolean> {
  try {
    return (await loadBuild(target)).digest === build.digest;
  } catch (error) {
    if (isLoopxError(error) && (error.code === "build_corrupt" || error.code === "file_not_readable")) return false;
    throw error;
  }
}
