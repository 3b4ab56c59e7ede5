import { readdirSync, rmSync, statSync, type Stats } from "node:fs";
import { join } from "node:path";
import { LIMITS, toEpochMs, type Ambient } from "@loopx/contracts";
import { makeDirectories, toFileError } from "@loopx/store";
import { BACKUPS_DIRECTORY, resolveHomeDirectory } from "./home-location.ts";
import type { OpenProject } from "./open-project.ts";

export interface Backup {
  /** File name within the home's backups folder. */
  readonly name: string;
  readonly path: string;
  readonly takenAtMs: number;
  readonly bytes: number;
}

function backupsDirectory(ambient: Ambient): string {
  return join(resolveHomeDirectory(ambient), BACKUPS_DIRECTORY);
}

/** Refuses with `file_not_writable`, `store_full`. */
export function makeBackupsDirectory(ambient: Ambient): string {
  const directory = backupsDirectory(ambient);
  try {
    makeDirectories(directory, 0o700);
  } catch (error) {
    throw toFileError(error, "the folder for backups in the LoopX home");
  }
  return directory;
}

/** The backups this machine keeps of a project, newest first. What restores replaced is none of them. */
export function listBackups(projectId: string, ambient: Ambient): readonly Backup[] {
  const directory = backupsDirectory(ambient);
  return readNames(directory)
    .filter((name) => name.startsWith(`${projectId}-`) && name.endsWith(".db"))
    .flatMap((name) => {
      const path = join(directory, name);
      const stats = findStats(path);
      // Somebody may have taken it away since the folder was read.
      return stats === undefined ? [] : [{ name, path, takenAtMs: stats.mtimeMs, bytes: stats.size }];
    })
    .toSorted((left, right) => right.takenAtMs - left.takenAtMs || (left.name < right.name ? 1 : -1));
}

/** Copies the project's committed state into the home's backups folder. */
export async function takeBackup(project: OpenProject, ambient: Ambient): Promise<Backup> {
  return copyState(project, "", ambient);
}

/** The same for the state that a restore is about to replace, under a name by which no later restore takes it unasked. */
export async function keepReplacedState(project: OpenProject, ambient: Ambient): Promise<Backup> {
  return copyState(project, "replaced-", ambient);
}

/** Removes the oldest backups of a project from the home, down to so many; gives their names. Refuses with `file_not_writable`. */
export function removeOldBackups(projectId: string, keepCount: number, ambient: Ambient): readonly string[] {
  const old = listBackups(projectId, ambient).slice(keepCount);
  try {
    for (const { path } of old) rmSync(path, { force: true });
  } catch (error) {
    throw toFileError(error, "an old backup in the LoopX home");
  }
  return old.map(({ name }) => name);
}

/** The path of a file in the home's backups folder, or undefined when the text is not the bare name of one. */
export function findBackupByName(name: string, ambient: Ambient): string | undefined {
  return readNames(backupsDirectory(ambient)).includes(name) ? join(backupsDirectory(ambient), name) : undefined;
}

async function copyState(project: OpenProject, prefix: "" | "replaced-", ambient: Ambient): Promise<Backup> {
  const directory = makeBackupsDirectory(ambient);
  const stamp = ambient
    .now()
    .replaceAll(/[^0-9]/g, "")
    .slice(0, 14);
  const name = `${prefix}${project.projectId}-${stamp}-${ambient.newId("b").slice(-6)}.db`;
  const path = join(directory, name);
  await project.database.backupTo(path);
  return { name, path, takenAtMs: toEpochMs(ambient.now()), bytes: statSync(path).size };
}

/**
 * Takes a backup when the newest is older than a day. A home that cannot be written is no reason to fail what the
 * backup follows: the answer is null then.
 */
export async function backupWhenOld(project: OpenProject, ambient: Ambient): Promise<Backup | null> {
  const [newest] = listBackups(project.projectId, ambient);
  if (newest !== undefined && toEpochMs(ambient.now()) - newest.takenAtMs < LIMITS.backupMaxAgeMs) return null;
  try {
    return await takeBackup(project, ambient);
  } catch {
    return null;
  }
}

/** What the system says of a file; undefined where it is missing or cannot be looked at. */
export function findStats(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function readNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
