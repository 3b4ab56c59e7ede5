import { randomUUID } from "node:crypto";
import { lstat, rename, rm, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { toFileError } from "@loopx/store";

/** What the link to the build made last is called, beside the builds. */
export const CURRENT_BUILD = "current";

/**
 * Makes `current`, beside a written build, a link to it. A link that is there already is replaced in one step, so a
 * reader finds the old build or the new one.
 *
 * False where something else has that name: it is left alone. Refuses with `file_not_writable`, `store_full`.
 */
export async function linkCurrentBuild(build: string): Promise<boolean> {
  const link = join(dirname(build), CURRENT_BUILD);
  if (!(await isFreeOrLink(link))) return false;
  // Unique, so that writers don't meet in it.
  const temporary = join(dirname(build), `.${CURRENT_BUILD}.${randomUUID()}.tmp`);
  try {
    // Relative: the folder of builds may be moved or copied as a whole.
    await symlink(basename(build), temporary, "dir");
    await rename(temporary, link);
  } catch (error) {
    throw toFileError(error, `the link ${CURRENT_BUILD}`);
  } finally {
    await rm(temporary, { force: true });
  }
  return true;
}

async function isFreeOrLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    if (error instanceof Error && (error as NodeJS.ErrnoException).code === "ENOENT") return true;
    throw toFileError(error, `the link ${CURRENT_BUILD}`);
  }
}
