import { findGitCommonDirectory, findGitTopLevel, findRealDirectory } from "../project/project-roots.ts";
import { findUserHome } from "../project/home-location.ts";
import type { Ambient } from "@loopx/contracts";
import type { ValidationPlace } from "./run-validation.ts";

/** Where a validation command runs: the caller's work tree when it is of the root's repository, else the root. */
export function findValidationPlace(root: string, ambient: Ambient): ValidationPlace {
  const userHome = findUserHome(ambient.env);
  const here = findRealDirectory(ambient.cwd);
  const worktree = here === undefined ? undefined : findGitTopLevel(here, userHome);
  const common = findGitCommonDirectory(root, userHome);
  const isLinked =
    worktree !== undefined &&
    worktree !== findGitTopLevel(root, userHome) &&
    common !== undefined &&
    findGitCommonDirectory(worktree, userHome) === common;
  return isLinked
    ? { directory: worktree, kind: "worktree", env: ambient.env }
    : { directory: root, kind: "root", env: ambient.env };
}
