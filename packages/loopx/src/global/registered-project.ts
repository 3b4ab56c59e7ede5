import { resolve } from "node:path";
import { cutText, isLoopxError, LoopxError, type Ambient, type ErrorCode } from "@loopx/contracts";
import { findProjectId, listRegisteredGoals, type RegisteredGoal } from "@loopx/control-plane";
import type { Database, Transaction } from "@loopx/store";
import type { Globals } from "../command-table/global-flags.ts";
import { resolveHomeDirectory } from "../project/home-location.ts";
import { openProjectStore } from "../project/open-project.ts";
import { findRealDirectory } from "../project/project-roots.ts";
import { findNamedRegistry, listRegistryGoals, readHome } from "../project/registry-goals.ts";

/** A project that this machine's registry lists, with the goals registered for it. */
export interface RegisteredProject {
  readonly projectId: string;
  readonly root: string;
  readonly label: string;
  readonly goalIds: ReadonlySet<string>;
}

/** A project that could not be read, and why. */
export interface SourceWarning {
  readonly code: ErrorCode;
  readonly label: string;
  /** One of its goals, to ask about it. */
  readonly goalId: string | undefined;
}

/**
 * The projects that have goals, by the registry the caller names, else by this machine's home, which may not be there yet.
 */
export async function listRegisteredProjects(
  globals: Pick<Globals, "registry">,
  ambient: Ambient,
): Promise<readonly RegisteredProject[]> {
  const named = findNamedRegistry(globals, ambient);
  const goals =
    named === undefined
      ? await readHome(resolveHomeDirectory(ambient), ambient, (home) => home.read(listRegisteredGoals))
      : await listRegistryGoals(resolve(ambient.cwd, named), ambient);
  return groupByProject(goals ?? []);
}

function groupByProject(goals: readonly RegisteredGoal[]): readonly RegisteredProject[] {
  const projects = new Map<string, RegisteredProject & { readonly goalIds: Set<string> }>();
  for (const { goal_id: goalId, project_id: projectId, root, label } of goals) {
    const known = projects.get(projectId);
    if (known === undefined) projects.set(projectId, { projectId, root, label, goalIds: new Set([goalId]) });
    else known.goalIds.add(goalId);
  }
  return [...projects.values()];
}

/** One project kept locked must not hold up the view of all the others. */
const BUSY_TIMEOUT_MS = 1_000;

/**
 * What `read` reads of a project in one transaction, or why it could not be read.
 *
 * A store counts only where it was registered and as what it was registered: a moved, copied or linked one is not read.
 */
export async function readRegisteredProject<Result>(
  project: RegisteredProject,
  ambient: Ambient,
  read: (tx: Transaction) => Promise<Result>,
): Promise<{ readonly ok: true; readonly result: Result } | { readonly ok: false; readonly warning: SourceWarning }> {
  try {
    return { ok: true, result: await readTrusted(project, ambient, read) };
  } catch (error) {
    const code = findSourceFault(error);
    if (code === undefined) throw error;
    const { text: label } = cutText(project.label, LABEL_SHOWN);
    return { ok: false, warning: { code, label, goalId: project.goalIds.values().next().value } };
  }
}

const LABEL_SHOWN = 40;

/** A stored structure that does not parse is damage too. */
function findSourceFault(error: unknown): ErrorCode | undefined {
  if (isLoopxError(error)) return error.code === "internal" ? undefined : error.code;
  return error instanceof SyntaxError ? "store_corrupt" : undefined;
}

async function readTrusted<Result>(
  project: RegisteredProject,
  ambient: Ambient,
  read: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const database = await openUnproven(project, ambient);
  try {
    return await database.read(async (tx) => {
      await assertRegistered(tx, project);
      return read(tx);
    });
  } finally {
    await database.close();
  }
}

/**
 * Opens a project's store for reading more than once. The caller closes it.
 *
 * Refuses with `project_not_trusted` as `readRegisteredProject` does, and with whatever opening a store refuses.
 */
export async function openRegisteredProject(project: RegisteredProject, ambient: Ambient): Promise<Database> {
  const database = await openUnproven(project, ambient);
  try {
    await database.read((tx) => assertRegistered(tx, project));
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** What it opens may be another project than the registered one until `assertRegistered` has looked. */
async function openUnproven({ root }: RegisteredProject, ambient: Ambient): Promise<Database> {
  const real = findRealDirectory(root);
  if (real !== undefined && real !== root) throw toUntrustedError();
  const options = { access: "read", create: false, busyTimeoutMs: BUSY_TIMEOUT_MS } as const;
  return openProjectStore(root, options, ambient);
}

async function assertRegistered(tx: Transaction, { projectId }: RegisteredProject): Promise<void> {
  if ((await findProjectId(tx)) !== projectId) throw toUntrustedError();
}

function toUntrustedError(): LoopxError {
  return new LoopxError("project_not_trusted", { message: "the store is not the one that was registered here" });
}
