import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { LoopxError } from "@loopx/contracts";

const STORE_DIRECTORY = ".loopx";
const STORE_FILE = "state.db";
export const STORE_LABEL = `${STORE_DIRECTORY}/${STORE_FILE}`;

export function toStorePath(root: string): string {
  return join(root, STORE_DIRECTORY, STORE_FILE);
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
    if (existsSync(toStorePath(folder))) return folder;
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
 * Read from git's own files (gitrepository-layout), so no process is started.
 */
export function findGitCommonDirectory(start: string, userHome: string | undefined): string | undefined {
  const top = findGitTopLevel(start, userHome);
  if (top === undefined) return undefined;
  const link = join(top, ".git");
  try {
    if (statSync(link).isDirectory()) return realpathSync(link);
    const target = /^gitdir: (.+)$/m.exec(readFileSync(link, "utf8"))?.[1]?.trim();
    if (target === undefined) return undefined;
    const gitDirectory = resolve(top, target);
    const common = readFileSync(join(gitDirectory, "commondir"), "utf8").trim();
    return realpathSync(resolve(gitDirectory, common));
  } catch {
    return undefined;
  }
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
