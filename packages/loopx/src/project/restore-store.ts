import { chmodSync, copyFileSync, existsSync, lstatSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromRefusal, isLoopxError, LoopxError, type Ambient } from "@loopx/contracts";
import { findProjectId, replaceProjectState } from "@loopx/control-plane";
import { DECISION_CONTEXT_TABLES } from "@loopx/decision-context";
import {
  openSqlite,
  prepareStoreDirectory,
  removeEntry,
  toFileError,
  verifyIntegrity,
  type Database,
} from "@loopx/store";
import { keepReplacedState } from "./backups.ts";
import { openProject, type OpenProject } from "./open-project.ts";
import { PROJECT_SCHEMA } from "./project-schema.ts";
import { hasStore, isOnServer, STORE_LABEL, toStorePath } from "./project-roots.ts";
import { withRepairHint } from "./with-repair-hint.ts";

export interface RestoredStore {
  readonly projectId: string;
  /** `replaced`: within the store in use. `placed`: there was none, or a damaged one that was set aside. */
  readonly way: "replaced" | "placed";
  readonly kept: KeptState | null;
}

/** Where the state that was replaced is now; null where nothing was. */
export interface KeptState {
  /** `backups`: in the LoopX home, a name that `--from` takes. `project`: the damaged store, beside the new one. */
  readonly folder: "backups" | "project";
  readonly name: string;
}

/**
 * Puts the state of a backup in the place of a project's.
 *
 * A store that works is replaced row by row in one transaction, after a backup of its own, so that no other process
 * writes into a file that is gone. Where there is none, or a damaged one, the file is put in place.
 * Refuses with `store_corrupt` (the backup itself), `project_id_conflict`. `isDryRun` checks only.
 */
export async function restoreStore(
  request: { readonly root: string; readonly from: string; readonly isDryRun: boolean },
  ambient: Ambient,
): Promise<RestoredStore> {
  const { root, from, isDryRun } = request;
  const opened = await openBackup(from, ambient);
  const backup = opened.database;
  try {
    const projectId = await backup.read(findProjectId);
    if (projectId === undefined) throw toInvalidBackupError();
    const current = await openCurrent(root, ambient);
    if (current === undefined) {
      const kept = isDryRun ? null : await placeStore(root, backup, ambient);
      return { projectId, way: "placed", kept };
    }
    try {
      if (current.projectId !== projectId) throw toOtherProjectError();
      if (isDryRun) return { projectId, way: "replaced", kept: null };
      const { name } = await keepReplacedState(current, ambient);
      await replaceProjectState(current.database, backup, DECISION_CONTEXT_TABLES);
      return { projectId, way: "replaced", kept: { folder: "backups", name } };
    } finally {
      await current.database.close();
    }
  } finally {
    await opened.close();
  }
}

interface OpenBackup {
  readonly database: Database;
  close(): Promise<void>;
}

async function openBackup(path: string, ambient: Ambient): Promise<OpenBackup> {
  if (!existsSync(path)) {
    throw new LoopxError("file_not_readable", {
      message: "there is no backup to restore from",
      hint: "name one with --from=FILE",
      details: { field: "from" },
    });
  }
  const backup = await openInThisSchema(path, ambient);
  const faults = await verifyIntegrity(backup.database);
  if (faults.length === 0) return backup;
  await backup.close();
  throw toInvalidBackupError();
}

/** A backup of an older LoopX is brought up to date in a copy: the backup itself stays as it is. */
async function openInThisSchema(path: string, ambient: Ambient): Promise<OpenBackup> {
  try {
    const database = await openBackupFile(path, "read", ambient);
    return { database, close: () => database.close() };
  } catch (error) {
    if (!isLoopxError(error) || error.code !== "store_needs_migration") throw error;
  }
  const folder = makeTemporaryFolder();
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, "backup.db");
    copyFileSync(path, copy);
    chmodSync(copy, 0o600);
    const database = await openBackupFile(copy, "write", ambient);
    return { database, close: () => database.close().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

function makeTemporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), "loopx-restore-"));
  } catch (error) {
    throw toFileError(error, "the system's temporary folder");
  }
}

async function openBackupFile(path: string, access: "read" | "write", ambient: Ambient): Promise<Database> {
  return withRepairHint("name another with --from=FILE", () =>
    openSqlite({
      path,
      label: "the backup",
      access,
      journal: "rollback",
      migrations: PROJECT_SCHEMA,
      now: () => ambient.now(),
    }),
  );
}

async function openCurrent(root: string, ambient: Ambient): Promise<OpenProject | undefined> {
  if (!hasStore(root)) return undefined;
  try {
    return await openSound(root, ambient);
  } catch (error) {
    // A file put in its place would stand beside the server's state and hide nothing of it.
    if (isOnServer(root)) throw error;
    if (isLoopxError(error) && (error.code === "store_corrupt" || error.code === "project_not_connected"))
      return undefined;
    throw error;
  }
}

/** One that opens may have damaged pages still: what is in it can be neither copied nor replaced row by row. */
async function openSound(root: string, ambient: Ambient): Promise<OpenProject | undefined> {
  const project = await openProject(root, "write", ambient);
  if ((await verifyIntegrity(project.database)).length === 0) return project;
  await project.database.close();
  return undefined;
}

/** The damaged store is kept beside the new one; nothing is thrown away. */
async function placeStore(root: string, backup: Database, ambient: Ambient): Promise<KeptState | null> {
  await prepareStoreDirectory(root);
  const path = toStorePath(root);
  const incoming = `${path}.${ambient.newId("restore")}`;
  await backup.backupTo(incoming);
  const stamp = ambient
    .now()
    .replaceAll(/[^0-9]/g, "")
    .slice(0, 14);
  const kept = hasStore(root) ? `${path}.damaged-${stamp}` : null;
  try {
    if (kept !== null) setAside(path, kept);
    // A journal beside a damaged store belongs to that store: with the new one it would undo pages that are right.
    removeEntry(`${path}-journal`);
    renameSync(incoming, path);
  } catch (error) {
    rmSync(incoming, { force: true });
    throw toFileError(error, STORE_LABEL);
  }
  return kept === null ? null : { folder: "project", name: `${STORE_LABEL}.damaged-${stamp}` };
}

/** A file is copied, so that its place is never empty. A pipe has no end, and a folder cannot be replaced by a file. */
function setAside(path: string, kept: string): void {
  if (lstatSync(path).isFile()) copyFileSync(path, kept);
  else renameSync(path, kept);
}

function toInvalidBackupError(): LoopxError {
  return new LoopxError("store_corrupt", {
    message: "the backup is damaged or not of a LoopX project; nothing was restored",
    hint: "name another with --from=FILE",
  });
}

function toOtherProjectError(): LoopxError {
  return fromRefusal({
    ok: false,
    code: "project_id_conflict",
    message: "the backup is of another project; nothing was restored",
    hint: "name a backup of this project with --from=FILE",
  });
}
