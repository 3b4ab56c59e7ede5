import { isAbsolute, relative, resolve, sep } from "node:path";
import { isLoopxError, LoopxError, type Ambient } from "@loopx/contracts";
import { findGoal, findRegisteredGoal, listGoals, listProjectsAtRoot } from "@loopx/control-plane";
import { printCommand } from "../command-line/print-command.ts";
import type { Globals } from "../command-table/global-flags.ts";
import { assertTrusted } from "./assert-trusted.ts";
import { findUserHome, resolveHomeDirectory } from "./home-location.ts";
import { GOAL_IDS_SHOWN, isOpenGoal, loadMeantGoalId } from "./meant-goal.ts";
import { toMissingStoreError } from "./missing-store.ts";
import { openProject, type OpenProject } from "./open-project.ts";
import {
  findGitTopLevel,
  findMainWorktree,
  findRealDirectory,
  findRegisteredRoot,
  hasStore,
  isForbiddenRoot,
  parseProjectFolder,
  toForbiddenRootError,
} from "./project-roots.ts";
import { findNamedRegistry, listRegistryGoals, readHome } from "./registry-goals.ts";
import { withNextStep } from "./with-next-step.ts";
import { toErrorElsewhere, toErrorFor } from "./with-repair-hint.ts";

/**
 * What a command does with the store. What is written is written to a store that this machine trusts, whoever asks: text in
 * it is instructions to agents, and a copied store must not become one of ours by use. `mend`: as `write`, for whoever
 * looks at a store that may not be trusted and records nothing in it.
 */
export type ProjectAccess = "read" | "write" | "mend";

/** What connects a folder that has no store. */
export const CONNECT_HINT = "connect it and start a goal: loopx bootstrap '--objective=<what to reach>'";

/** What a command says about where it works. */
export interface ProjectQuery {
  readonly globals: Pick<Globals, "project" | "registry">;
  readonly ambient: Ambient;
  readonly goalId: string | undefined;
}

/**
 * Lets `work` use the store that holds the goal, then closes it.
 *
 * Looked up in this order: `--registry`, `LOOPX_REGISTRY`, `--project`, the nearest root with a store at or above the
 * working directory without crossing a `.git` boundary, the home registry by the goal's id.
 * Refuses with `unknown_goal`, `project_not_connected`, `project_not_resolved`, `store_missing`, and to write also with
 * `project_not_trusted`.
 */
export async function withProject<Result>(
  query: ProjectQuery,
  access: ProjectAccess,
  work: (project: OpenProject) => Promise<Result>,
): Promise<Result> {
  try {
    const project = await openQueriedProject(query, access === "read" ? "read" : "write");
    try {
      if (access === "write") await assertTrusted(project, query.ambient);
      return await work(project);
    } finally {
      await project.database.close();
    }
  } catch (error) {
    throw isLoopxError(error) ? toErrorFor(error, query.globals.project) : error;
  }
}

/**
 * The same for a command on one goal. Where none is named it is the one that is open, or the project's only goal.
 *
 * Refuses with `goal_selection_required` where several could be meant.
 */
export async function withGoal<Result>(
  query: ProjectQuery,
  access: ProjectAccess,
  work: (project: OpenProject, goalId: string) => Promise<Result>,
): Promise<Result> {
  return withProject(query, access, async (project) => {
    const goalId = query.goalId ?? (await loadMeantGoalId(project.database));
    try {
      return await work(project, goalId);
    } catch (error) {
      throw isLoopxError(error) ? withNextStep(error, goalId) : error;
    }
  });
}

async function openQueriedProject(query: ProjectQuery, access: "read" | "write"): Promise<OpenProject> {
  const { ambient, globals } = query;
  const registry = findNamedRegistry(globals, ambient);
  if (registry !== undefined) return openByRegistry(query, registry, access);
  const userHome = findUserHome(ambient.env);
  if (globals.project !== undefined) {
    const folder = parseProjectFolder(globals.project, { cwd: ambient.cwd, userHome });
    const root = findRegisteredRoot(folder, userHome);
    if (root === undefined) return openFallback(query, folder, access);
    return openProject(root, access, ambient);
  }
  const start = findRealDirectory(ambient.cwd) ?? ambient.cwd;
  const root = findRegisteredRoot(start, userHome);
  if (root === undefined) return openFallback(query, start, access);
  const project = await openProject(root, access, ambient);
  const { goalId } = query;
  if (goalId === undefined || (await project.database.read((tx) => findGoal(tx, goalId))) !== undefined) return project;
  const elsewhere = await findInHome(ambient, goalId);
  if (elsewhere === undefined || elsewhere === root) return project;
  await project.database.close();
  return openRegistered(elsewhere, access, ambient);
}

/** No store is near: the goal's id may still be known to this machine. */
async function openFallback(query: ProjectQuery, folder: string, access: "read" | "write"): Promise<OpenProject> {
  const { ambient, goalId } = query;
  const root = goalId === undefined ? undefined : await findInHome(ambient, goalId);
  if (root !== undefined) return openRegistered(root, access, ambient);
  const userHome = findUserHome(ambient.env);
  const top = findGitTopLevel(folder, userHome) ?? folder;
  if (await isRegisteredRoot(ambient, top)) throw toMissingStoreError();
  if (isForbiddenRoot(top, userHome)) throw toForbiddenRootError();
  const main = goalId === undefined ? await findConnectedMainWorktree(top, ambient) : undefined;
  if (main !== undefined) throw toLinkedWorktreeError(main);
  throw new LoopxError(goalId === undefined ? "project_not_connected" : "unknown_goal", {
    message:
      goalId === undefined
        ? "this folder has no LoopX store yet"
        : "no goal with this id is known here or in this machine's registry",
    hint: goalId === undefined ? CONNECT_HINT : "loopx goal list",
  });
}

interface ConnectedMainWorktree {
  /** Its open goals as far as this machine knows them: those can be named from anywhere. */
  readonly goalIds: readonly string[];
}

/** The main work tree of a linked one, when that is a project of this machine. It is never used unasked. */
async function findConnectedMainWorktree(top: string, ambient: Ambient): Promise<ConnectedMainWorktree | undefined> {
  const main = findMainWorktree(top, findUserHome(ambient.env));
  if (main === undefined || main === top || !hasStore(main) || !(await isRegisteredRoot(ambient, main)))
    return undefined;
  const project = await openProject(main, "read", ambient);
  try {
    const goals = (await project.database.read(listGoals)).filter(isOpenGoal).map((goal) => goal.goal_id);
    const roots = await Promise.all(goals.map((goalId) => findInHome(ambient, goalId)));
    return { goalIds: goals.filter((_, at) => roots[at] === main) };
  } finally {
    await project.database.close();
  }
}

function toLinkedWorktreeError({ goalIds }: ConnectedMainWorktree): LoopxError {
  const [goalId, ...others] = goalIds;
  const isOne = goalId !== undefined && others.length === 0;
  return new LoopxError("project_not_connected", {
    message: "this is a linked worktree; its main checkout is connected, so name the goal to work on",
    hint: isOne ? printCommand("status", { goalId }).shell : printCommand("goal list", {}).shell,
    ...(goalIds.length === 0 ? {} : { details: { goal_ids: goalIds.slice(0, GOAL_IDS_SHOWN) } }),
  });
}

async function openRegistered(root: string, access: "read" | "write", ambient: Ambient): Promise<OpenProject> {
  try {
    if (!hasStore(root)) throw toMissingStoreError();
    return await openProject(root, access, ambient);
  } catch (error) {
    throw isLoopxError(error) && !isWithin(root, ambient.cwd) ? toErrorElsewhere(error, root) : error;
  }
}

function isWithin(root: string, folder: string): boolean {
  const way = relative(root, findRealDirectory(folder) ?? folder);
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}

async function findInHome(ambient: Ambient, goalId: string): Promise<string | undefined> {
  return readHome(resolveHomeDirectory(ambient), ambient, async (home) => {
    const found = await home.read((tx) => findRegisteredGoal(tx, goalId));
    return found?.root;
  });
}

async function isRegisteredRoot(ambient: Ambient, root: string): Promise<boolean> {
  const known = await readHome(resolveHomeDirectory(ambient), ambient, async (home) => {
    const projects = await home.read((tx) => listProjectsAtRoot(tx, root));
    return projects.length > 0;
  });
  return known ?? false;
}

async function openByRegistry(query: ProjectQuery, path: string, access: "read" | "write"): Promise<OpenProject> {
  const { ambient, goalId } = query;
  const goals = await listRegistryGoals(resolve(ambient.cwd, path), ambient);
  const roots = new Map(goals.map((goal) => [goal.goal_id, goal.root]));
  const root = goalId === undefined ? findOnlyRoot(roots) : roots.get(goalId);
  if (root !== undefined) return openRegistered(root, access, ambient);
  throw new LoopxError("unknown_goal", {
    message: "the registry knows no goal with this id",
    hint: "loopx goal list",
    ...(goalId === undefined ? {} : { details: { goal_id: goalId } }),
  });
}

function findOnlyRoot(roots: ReadonlyMap<string, string>): string | undefined {
  const distinct = new Set(roots.values());
  if (distinct.size <= 1) return distinct.values().next().value;
  throw new LoopxError("goal_selection_required", {
    message: "the registry holds goals of several projects",
    hint: "name one with --goal-id=GOAL: loopx goal list",
  });
}
