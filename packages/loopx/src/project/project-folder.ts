import type { Ambient } from "@loopx/contracts";
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

/**
 * The folder that a project-routed command means: exactly `--project`, else the nearest registered root, else the top
 * of the git work tree, else the working directory. Never the root of the disk or the home directory.
 */
export function findProjectFolder({
  globals,
  ambient,
}: {
  readonly globals: Pick<Globals, "project">;
  readonly ambient: Ambient;
}): string {
  const userHome = findUserHome(ambient.env);
  if (globals.project !== undefined) return parseProjectFolder(globals.project, { cwd: ambient.cwd, userHome });
  const start = findRealDirectory(ambient.cwd);
  const folder = start && (findRegisteredRoot(start, userHome) ?? findGitTopLevel(start, userHome) ?? start);
  if (folder === undefined || isForbiddenRoot(folder, userHome)) throw toForbiddenRootError();
  return folder;
}
