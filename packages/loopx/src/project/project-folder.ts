import { dirname, resolve } from "node:path";
import { LoopxError, type Ambient } from "@loopx/contracts";
import type { Globals } from "../command-table/global-flags.ts";
import { findUserHome } from "./home-location.ts";
import {
  findGitTopLevel,
  findRealDirectory,
  findRegisteredRoot,
  isForbiddenRoot,
  parseProjectFolder,
  toForbiddenRootError,
} from "./project-roots.ts";

/** What a command says about the folder it means. */
export interface FolderQuery {
  readonly globals: Pick<Globals, "project">;
  readonly ambient: Pick<Ambient, "env" | "cwd">;
  /** A file that is selected in the host; asked when the working directory lies in no project. */
  readonly selectedFile?: string | undefined;
}

/**
 * The folder that a project-routed command means: exactly `--project`, else the nearest registered root, else the top
 * of the git work tree, else the same for the selected file, else the working directory. Never the root of the disk or
 * the home directory.
 */
export function findProjectFolder({ globals, ambient, selectedFile }: FolderQuery): string {
  const userHome = findUserHome(ambient.env);
  if (globals.project !== undefined) return parseProjectFolder(globals.project, { cwd: ambient.cwd, userHome });
  const start = findRealDirectory(ambient.cwd);
  const folder = findRoot(start, userHome) ?? findRoot(findFolderOf(ambient.cwd, selectedFile), userHome) ?? start;
  if (folder === undefined) throw toUnnamableError();
  if (isForbiddenRoot(folder, userHome)) throw toForbiddenRootError();
  return folder;
}

function findRoot(start: string | undefined, userHome: string | undefined): string | undefined {
  return start && (findRegisteredRoot(start, userHome) ?? findGitTopLevel(start, userHome));
}

function findFolderOf(cwd: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const path = resolve(cwd, file);
  return findRealDirectory(path) ?? findRealDirectory(dirname(path));
}

/** The system has a name for the working directory that leads nowhere: its bytes are no UTF-8, or it is just gone. */
function toUnnamableError(): LoopxError {
  return new LoopxError("project_not_resolved", {
    message: "the working directory cannot be reached by its name: it is gone, or the name is not UTF-8",
    hint: "go to a folder with a name in UTF-8, or name one with --project=DIR",
    details: { field: "project" },
  });
}
