import { fromRefusal, LoopxError, toGoalIdFromName, type Ambient } from "@loopx/contracts";
import {
  checkOwner,
  connectProject,
  findMovedMark,
  findProjectById,
  findProjectId,
  listGoals,
  listTakenGoalIds,
  registerNewProject,
  renameGoals,
  replaceProjectId,
  toMovedError,
  type Actor,
  type ConnectedProject,
} from "@loopx/control-plane";
import { assertStorePlace, prepareStoreDirectory, type Database } from "@loopx/store";
import { unwrap } from "../packets/unwrap.ts";
import type { ChosenServer } from "../server-store/open-server-store.ts";
import { backupWhenOld } from "./backups.ts";
import { assertStoreNotGone } from "./missing-store.ts";
import { withHomeToWrite } from "./open-home.ts";
import { assertMayMigrate, openProjectStore } from "./open-project.ts";
import { hasStore, STORE_FILE, toRootLabel } from "./project-roots.ts";

export interface ConnectOptions {
  readonly root: string;
  readonly actor: Actor;
  readonly goalId: string | undefined;
  readonly objective: string | undefined;
  /** For a goal beside those that are there: its id when none is given. */
  readonly anotherGoalId?: string | undefined;
  /** Gives a copied store an id of its own first; begins again where the store is gone. */
  readonly newId: boolean;
  /** The server that keeps the state of a folder without a store; `LOOPX_STORE_URL` where none is given. */
  readonly server?: ChosenServer | undefined;
}

/**
 * Connects a folder: makes its store when it has none, registers it with the home, and creates the goal asked for.
 *
 * The home is opened first, so that a home that cannot be written stores nothing at all.
 */
export async function connectRoot(options: ConnectOptions, ambient: Ambient): Promise<ConnectedProject> {
  const { root } = options;
  assertStorePlace(root, STORE_FILE);
  return withHomeToWrite(ambient, async (home) => {
    if (!options.newId) await assertStoreNotGone(home, root);
    const isNewStore = !hasStore(root);
    if (!isNewStore && options.server !== undefined) refuseSecondStore();
    if (isNewStore) await prepareStoreDirectory(root);
    const database = isNewStore ? await createStore(options, ambient) : await openToConnect(options, false, ambient);
    try {
      if (!database.isWritable) throw toReadOnlyError();
      const currentId = await database.read(findProjectId);
      const moved = currentId === undefined ? await database.read(findMovedMark) : undefined;
      if (moved !== undefined) throw toMovedError(moved);
      const isOwnStore = (isNewStore && options.server?.projectId === undefined) || currentId === undefined;
      const projectId = await chooseProjectId({ home, database, currentId, options }, ambient);
      if (options.actor.kind === "owner") await assertGoalIdsFree(home, database, projectId);
      const label = toRootLabel(root);
      const connected = unwrap(
        await connectProject(
          home,
          database,
          {
            projectId,
            root,
            label,
            actor: options.actor,
            isNewStore: isOwnStore,
            holdsSameProject: (other, id) => holdsProject(other, id, ambient),
            goal: toWantedGoal(options),
          },
          ambient,
        ),
      );
      await backupWhenOld({ root, label, database, projectId }, ambient);
      return connected;
    } finally {
      await database.close();
    }
  });
}

/** Brings the store of a folder that is to be connected up to date. Refuses with `project_not_trusted` but for an owner. */
export async function migrateToConnect(
  options: Pick<ConnectOptions, "root" | "actor">,
  ambient: Ambient,
): Promise<void> {
  assertStorePlace(options.root, STORE_FILE);
  await (await openToConnect(options, false, ambient)).close();
}

/** A file in the folder, unless a server is chosen, by an owner or by what the environment of the process says. */
async function createStore(options: ConnectOptions, ambient: Ambient): Promise<Database> {
  const { root, actor } = options;
  const url = ambient.env["LOOPX_STORE_URL"];
  const chosen =
    options.server ??
    (url === undefined || url === "" ? undefined : { url, password: undefined, projectId: undefined });
  if (chosen === undefined) return openToConnect(options, true, ambient);
  const refused =
    options.server === undefined ? undefined : checkOwner(actor, "choose where a project's state is kept");
  if (refused !== undefined) throw fromRefusal(refused);
  const { createServerStore } = await import("../programs/server-store.ts");
  return createServerStore(root, chosen, ambient);
}

function refuseSecondStore(): never {
  throw new LoopxError("invalid_value", {
    message: "this project has a store already; nothing was changed",
    hint: "connect it without --store: loopx connect",
    details: { field: "store" },
  });
}

function openToConnect(
  { root, actor }: Pick<ConnectOptions, "root" | "actor">,
  create: boolean,
  ambient: Ambient,
): Promise<Database> {
  const beforeMigration = (old: Database): Promise<void> => assertMayMigrate(root, old, ambient);
  const opening = { access: "write", create, ...(actor.kind === "owner" ? {} : { beforeMigration }) } as const;
  return openProjectStore(root, opening, ambient);
}

interface IdChoice {
  readonly home: Database;
  readonly database: Database;
  readonly currentId: string | undefined;
  readonly options: ConnectOptions;
}

/** With `newId` a copy gets ids of its own; a project that is no copy has nothing to replace and keeps its id. */
async function chooseProjectId(choice: IdChoice, ambient: Ambient): Promise<string> {
  const { home, database, currentId, options } = choice;
  if (currentId === undefined) return registerNewStore(choice, ambient);
  if (!options.newId) return currentId;
  const known = await home.read((tx) => findProjectById(tx, currentId));
  if (known?.root === options.root) return currentId;
  // Checked before anything is written: a refused caller must leave the copy as it was.
  if (options.actor.kind !== "owner") throw toUntrustedCopyError();
  await renameGoals(database, await listTakenGoalIds(home, await listGoalIds(database), null), ambient);
  return replaceProjectId(database, ambient);
}

/** A store of ours gets its id before its first goal: goals without one came from elsewhere. */
async function registerNewStore({ home, database, options }: IdChoice, ambient: Ambient): Promise<string> {
  const { root, actor } = options;
  if (actor.kind !== "owner" && (await listGoalIds(database)).length > 0) throw toUntrustedCopyError();
  return registerNewProject(home, database, { root, label: toRootLabel(root) }, ambient);
}

async function listGoalIds(database: Database): Promise<readonly string[]> {
  return (await database.read(listGoals)).map((goal) => goal.goal_id);
}

/** A store that came with goals another project of this machine has must not take them over. */
async function assertGoalIdsFree(home: Database, database: Database, projectId: string): Promise<void> {
  const [taken] = await listTakenGoalIds(home, await listGoalIds(database), projectId);
  if (taken === undefined) return;
  throw new LoopxError("goal_id_taken", {
    message: "another project on this machine has a goal with the id of one in this store; nothing was changed",
    hint: "to give the goals here ids of their own: loopx connect --new-id",
    details: { goal_id: taken },
  });
}

/** The id a goal gets when nobody names one. */
export function toDefaultGoalId(root: string): string {
  return `${toGoalIdFromName(toRootLabel(root))}-goal`;
}

function toWantedGoal({
  goalId,
  anotherGoalId,
  objective,
  root,
}: ConnectOptions): Parameters<typeof connectProject>[2]["goal"] {
  if (objective === undefined) {
    if (goalId === undefined) return null;
    throw new LoopxError("missing_flag", {
      message: "a new goal needs its objective",
      hint: "add '--objective=<what to reach>'",
      details: { field: "objective" },
    });
  }
  return {
    goalId: goalId ?? anotherGoalId ?? toDefaultGoalId(root),
    isExplicit: goalId !== undefined,
    isAnother: anotherGoalId !== undefined,
    objective,
  };
}

async function holdsProject(root: string, projectId: string, ambient: Ambient): Promise<boolean> {
  if (!hasStore(root)) return false;
  const database = await openProjectStore(root, { access: "read", create: false }, ambient);
  try {
    return (await database.read(findProjectId)) === projectId;
  } finally {
    await database.close();
  }
}

function toUntrustedCopyError(): LoopxError {
  return fromRefusal({
    ok: false,
    code: "project_not_trusted",
    message: "this folder is a copy of a store that no owner connected here; nothing was changed",
    hint: "look at it with loopx status, then connect it yourself at your own terminal: loopx connect --new-id",
  });
}

function toReadOnlyError(): LoopxError {
  return fromRefusal({
    ok: false,
    code: "store_read_only",
    message: "the project's store can be read but not written; nothing was changed",
    hint: "let this process write to the project's .loopx directory, then connect again",
  });
}
