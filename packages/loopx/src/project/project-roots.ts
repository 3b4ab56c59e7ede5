import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { LoopxError } from "@loopx/contracts";
import { findFileContent } from "./regular-file.ts";

const STORE_DIRECTORY = ".loopx";
export const STORE_FILE = "state.db";
export const STORE_LABEL = `${STORE_DIRECTORY}/${STORE_FILE}`;

export function toStorePath(root: string): string {
  return join(root, STORE_DIRECTORY, STORE_FILE);
}

/** What stands in a project whose state a server keeps, and says where. */
const STORE_REFERENCE_FILE = "store.json";
export const STORE_REFERENCE_LABEL = `${STORE_DIRECTORY}/${STORE_REFERENCE_FILE}`;

export function toStoreReferencePath(root: string): string {
  return join(root, STORE_DIRECTORY, STORE_REFERENCE_FILE);
}

/** Whether a root's store is on a server. */
export function isOnServer(root: string): boolean {
  return isThere(toStoreReferencePath(root));
}

/** Whether something lies where a root's store would, be it a link that leads nowhere: what it is, its opening says. */
export function hasStore(root: string): boolean {
  return isThere(toStorePath(root)) || isOnServer(root);
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** The name people see for a root: its last folder. */
export function toRootLabel(root: string): string {
  return basename(root) || "project";
}

/** The real path of a folder that exists, or undefined. */
export function findRealDirectory(path: string): string | undefined {
  try {
    const real = realpathSync.native(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}

/** A folder named with `--project`: it must exist, and be neither the root of the disk nor the home directory. */
export function parseProjectFolder(
  path: string,
  from: { readonly cwd: string; readonly userHome: string | undefined },
): string {
  const real = findRealDirectory(resolve(from.cwd, path));
  if (real === undefined) {
    throw new LoopxError("project_not_resolved", {
      message: "--project names no folder that exists",
      hint: "create the folder first, or name the one you mean with --project=DIR",
      details: { field: "project" },
    });
  }
  if (isForbiddenRoot(real, from.userHome)) throw toForbiddenRootError();
  return real;
}

export function isForbiddenRoot(real: string, userHome: string | undefined): boolean {
  return dirname(real) === real || (userHome !== undefined && real === (findRealDirectory(userHome) ?? userHome));
}

export function toForbiddenRootError(): LoopxError {
  return new LoopxError("project_not_resolved", {
    message: "neither the root of the disk nor the home directory can be a project",
    hint: "go to a project folder first, or name one with --project=DIR",
    details: { field: "project" },
  });
}

/** The nearest folder at or above `start` that holds a store, without crossing a `.git` boundary. */
export function findRegisteredRoot(start: string, userHome: string | undefined): string | undefined {
  for (const folder of walkUp(start)) {
    if (isForbiddenRoot(folder, userHome)) return undefined;
    if (hasStore(folder)) return folder;
    if (existsSync(join(folder, ".git"))) return undefined;
  }
  return undefined;
}

/** The top of the git work tree that holds `start`, or undefined. */
export function findGitTopLevel(start: string, userHome: string | undefined): string | undefined {
  for (const folder of walkUp(start)) {
    if (isForbiddenRoot(folder, userHome)) return undefined;
    if (existsSync(join(folder, ".git"))) return folder;
  }
  return undefined;
}

/**
 * The common directory of the git repository whose work tree holds `start`: the same for all its linked worktrees.
 *
 * Read from git's own files (gitrepository-layout), so no process is started. A folder can say of itself that it belongs to
 * any repository, so a linked worktree counts only where the repository names it too. Undefined for what cannot be told.
 */
export function findGitCommonDirectory(start: string, userHome: string | undefined): string | undefined {
  const top = findGitTopLevel(start, userHome);
  if (top === undefined) return undefined;
  const link = join(top, ".git");
  try {
    if (lstatSync(link).isDirectory()) return realpathSync(link);
    return lstatSync(link).isFile() ? findLinkedCommonDirectory(top, link) : undefined;
  } catch {
    return undefined;
  }
}

function findLinkedCommonDirectory(top: string, link: string): string | undefined {
  const target = /^gitdir: (.+)$/m.exec(readGitFile(link))?.[1]?.trim();
  if (target === undefined) return undefined;
  const gitDirectory = resolve(top, target);
  const backLink = resolve(gitDirectory, readGitFile(join(gitDirectory, "gitdir")).trim());
  if (basename(backLink) !== ".git" || realpathSync(dirname(backLink)) !== realpathSync(top)) return undefined;
  const common = realpathSync(resolve(gitDirectory, readGitFile(join(gitDirectory, "commondir")).trim()));
  return realpathSync(dirname(gitDirectory)) === join(common, "worktrees") ? common : undefined;
}

/** Each of these files holds one path. */
const GIT_FILE_MAX_BYTES = 65_536;

function readGitFile(path: string): string {
  return findFileContent(path, GIT_FILE_MAX_BYTES)?.toString("utf8") ?? "";
}

/** The main work tree of the repository that `start` is a linked worktree of, or undefined. */
export function findMainWorktree(start: string, userHome: string | undefined): string | undefined {
  const common = findGitCommonDirectory(start, userHome);
  return common !== undefined && basename(common) === ".git" ? dirname(common) : undefined;
}

function* walkUp(start: string): Generator<string> {
  for (let folder = start; ; folder = dirname(folder)) {
    yield folder;
    if (dirname(folder) === folder) return;
  }
}
