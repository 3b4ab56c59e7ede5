import { constants, copyFileSync, linkSync } from "node:fs";
import { dirname } from "node:path";
import { findFileErrorCode } from "./file-errors.ts";
import { removeUnfinished } from "./remove-unfinished.ts";
import { syncDirectory, syncFile } from "./sync-directory.ts";

// What file systems without hard links answer (FAT, some network and shared folders).
const NO_HARD_LINKS: ReadonlySet<string | undefined> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/**
 * Gives a finished file its final name, unless that name is taken: true when it is published, false when another file was there.
 *
 * Of many processes exactly one publishes, and nobody sees half a file. (A rename would replace the other's file.)
 * Durable when it returns. The finished file's own name is gone either way.
 */
export function publishNewFile(finishedPath: string, path: string): boolean {
  try {
    if (!claimName(finishedPath, path)) return false;
    syncDirectory(dirname(path));
    return true;
  } finally {
    removeUnfinished(finishedPath);
  }
}

function claimName(finishedPath: string, path: string): boolean {
  try {
    linkSync(finishedPath, path);
    return true;
  } catch (error) {
    const code = findFileErrorCode(error);
    if (code === "EEXIST") return false;
    if (!NO_HARD_LINKS.has(code)) throw error;
    return copyToNewName(finishedPath, path);
  }
}

// Here a reader can meet a half-written file for a moment, and a kill can leave one; but no file is ever replaced.
function copyToNewName(finishedPath: string, path: string): boolean {
  try {
    copyFileSync(finishedPath, path, constants.COPYFILE_EXCL);
    syncFile(path);
    return true;
  } catch (error) {
    if (findFileErrorCode(error) === "EEXIST") return false;
    throw error;
  }
}
