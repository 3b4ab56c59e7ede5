import { closeSync, existsSync, openSync } from "node:fs";
import { LoopxError } from "@loopx/contracts";
import { toFileError } from "../files/file-errors.ts";
import { publishNewFile } from "../files/publish-new-file.ts";
import { removeUnfinished } from "../files/remove-unfinished.ts";
import { syncFile } from "../files/sync-directory.ts";
import { findSqliteCode, toStoreError, type StorePlace } from "./sqlite-errors.ts";

/**
 * Puts a copy that `copyTo` writes in place as a new file of mode 0600: whole and durable, or not at all.
 *
 * Refuses an existing target with `file_not_writable`, and leaves it as it is.
 */
export async function backupSqlite(
  target: string,
  source: StorePlace,
  copyTo: (path: string) => Promise<void>,
): Promise<void> {
  const label = `the backup of ${source.label}`;
  if (existsSync(target)) throw toTakenError(label);
  const unfinished = `${target}.${crypto.randomUUID()}.tmp`;
  try {
    // Created first, since SQLite would create it readable for others; it copies into a file that is empty.
    closeSync(openSync(unfinished, "wx", 0o600));
    await copyTo(unfinished);
    syncFile(unfinished);
    if (!publishNewFile(unfinished, target)) throw toTakenError(label);
  } catch (error) {
    throw toBackupError(error, source, { path: target, label });
  } finally {
    removeUnfinished(unfinished);
    removeUnfinished(`${unfinished}-journal`);
  }
}

function toTakenError(label: string): LoopxError {
  return new LoopxError("file_not_writable", {
    message: `${label} would replace an existing file`,
    hint: "name a new file",
  });
}

// A full disk is the target's trouble; whatever else the engine says is about the source.
function toBackupError(error: unknown, source: StorePlace, target: StorePlace): unknown {
  const code = findSqliteCode(error);
  if (code === undefined) return toFileError(error, target.label);
  return code.startsWith("SQLITE_FULL") ? toStoreError(error, target, "write") : toStoreError(error, source, "read");
}
