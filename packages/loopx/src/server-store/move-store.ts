import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { isLoopxError, LoopxError, type Ambient } from "@loopx/contracts";
import {
  activateMoved,
  findMovedMark,
  findProjectId,
  listGoals,
  loadProjectCreatedAt,
  markAsMoved,
  type MovedMark,
} from "@loopx/control-plane";
import {
  clearRows,
  copyRows,
  digestRows,
  prepareStoreDirectory,
  type Database,
  type TableDigest,
  type Transaction,
} from "@loopx/store";
import { openProjectStore, openStoreFile } from "../project/open-project.ts";
import { PROJECT_SCHEMA } from "../project/project-schema.ts";
import { isOnServer, toStorePath } from "../project/project-roots.ts";
import { openMoveTarget, type MoveTarget, type MoveTargetQuery } from "./open-server-store.ts";
import { isSameStore, loadStoreReference, removeStoreReference, saveStoreReference } from "./store-reference.ts";

export interface MoveRequest {
  readonly root: string;
  /** `file`, or a server's URL. */
  readonly to: string;
  /** `env:NAME` or `file:PATH`. */
  readonly password: string | undefined;
}

/** What a move carried, or would carry. */
export interface MovedState {
  readonly projectId: string;
  /** Of every table but the one that says which project it is. */
  readonly tables: readonly TableDigest[];
  readonly digest: string;
  /** The state was there already: an earlier call was cut off before the project was led to it. */
  readonly isResumed: boolean;
}

/** The table whose row makes a store a project's. It is written last. */
const IDENTITY = "project";

/** What a move would carry. Refuses as `moveStore`, and changes nothing. */
export async function planMove(request: MoveRequest, ambient: Ambient): Promise<MovedState> {
  const { root, to } = request;
  assertElsewhere(root, to);
  const source = await openProjectStore(root, { access: "read", create: false }, ambient);
  try {
    return await source.read(async (tx) => {
      const mark = await findMovedMark(tx);
      if (mark !== undefined) return toResumed(assertSameTarget(mark, to));
      const projectId = await loadProjectId(tx);
      await lookAtTarget(request, projectId, ambient);
      return describe(tx, projectId);
    });
  } finally {
    await source.close();
  }
}

/**
 * Moves a project's state to another engine or server, and leads the project there.
 *
 * The source is locked for all of it. The target is filled and compared first, and is no project's yet; then the source is emptied and
 * marked in one transaction, so that whoever has it open still finds no goal to write to; then the target becomes the project's,
 * and the root's reference leads to it. Cut off in between, the same call goes on from there.
 * Refuses with `project_id_conflict` a target that holds a project, and with `store_failed` a copy that is not the same.
 */
export async function moveStore(request: MoveRequest, ambient: Ambient): Promise<MovedState> {
  const { root, to } = request;
  assertElsewhere(root, to);
  const source = await openProjectStore(root, { access: "write", create: false }, ambient);
  try {
    const mark = await source.read(findMovedMark);
    const projectId = mark === undefined ? await source.read(loadProjectId) : assertSameTarget(mark, to).projectId;
    const target = await openTarget(request, { projectId, isDryRun: false }, ambient);
    try {
      if (mark === undefined) assertOtherStore(root, target, ambient);
      const moved = mark === undefined ? await fill(source, target.database, { projectId, to }) : toResumed(mark);
      const written = mark ?? (await loadMark(source));
      await assertDigest(target.database, written);
      await activateMoved(target.database, written);
      await lead(root, target, ambient);
      return moved;
    } finally {
      await target.database.close();
    }
  } finally {
    await source.close();
  }
}

/** A project is on a server or in a file; from one server to another it may move too. */
function assertElsewhere(root: string, to: string): void {
  if (to !== "file" || isOnServer(root)) return;
  throw new LoopxError("invalid_value", {
    message: "this project's state lies in a file already",
    hint: "name the server it is to be on: --to=postgresql://USER@HOST/DATABASE",
    details: { field: "to" },
  });
}

/** Emptying a store that was just filled with itself would leave nothing. */
function assertOtherStore(root: string, target: OpenTarget, ambient: Ambient): void {
  if (target.reference === null || !isOnServer(root)) return;
  if (!isSameStore(loadStoreReference(root, ambient), target.reference)) return;
  throw new LoopxError("invalid_value", {
    message: "this project's state is on that server already",
    hint: "loopx store status",
    details: { field: "to" },
  });
}

function assertSameTarget(mark: MovedMark, to: string): MovedMark {
  if (mark.to === to) return mark;
  throw new LoopxError("invalid_value", {
    message: `an earlier move to ${mark.to} is not finished`,
    hint: `loopx store copy '--to=${mark.to}' --execute`,
    details: { field: "to" },
  });
}

/** Whether the state may go there, as far as that can be seen without making anything. */
async function lookAtTarget(request: MoveRequest, projectId: string, ambient: Ambient): Promise<void> {
  if (request.to === "file" && !existsSync(toStorePath(request.root))) return;
  try {
    const target = await openTarget(request, { projectId, isDryRun: true }, ambient);
    try {
      assertOtherStore(request.root, target, ambient);
      await target.database.read(assertFree);
    } finally {
      await target.database.close();
    }
  } catch (error) {
    if (!isLoopxError(error) || error.code !== "store_missing") throw error;
  }
}

/** Where the state goes; without a reference it is the file in the root. */
type OpenTarget = MoveTarget | { readonly reference: null; readonly database: Database };

async function openTarget(
  { root, to, password }: MoveRequest,
  place: Pick<MoveTargetQuery, "projectId" | "isDryRun">,
  ambient: Ambient,
): Promise<OpenTarget> {
  if (to !== "file") return openMoveTarget(root, { url: to, password, ...place }, ambient);
  if (!place.isDryRun) await prepareStoreDirectory(root);
  const opening = { access: place.isDryRun ? "read" : "write", create: !place.isDryRun } as const;
  return { reference: null, database: await openStoreFile(root, opening, ambient) };
}

/** Both stores are locked: nothing is written to the source that the target lacks. */
async function fill(
  source: Database,
  target: Database,
  { projectId, to }: { readonly projectId: string; readonly to: string },
): Promise<MovedState> {
  return source.write(async (from) => {
    await target.write(async (into) => {
      await assertFree(into);
      await clearRows(into, PROJECT_SCHEMA);
      await copyRows(from, into, PROJECT_SCHEMA, { except: [IDENTITY] });
    });
    const state = await describe(from, projectId);
    const mark = { to, projectId, createdAt: await loadProjectCreatedAt(from), digest: state.digest };
    await assertDigest(target, mark);
    await clearRows(from, PROJECT_SCHEMA);
    await markAsMoved(from, mark);
    return state;
  });
}

/** An unfinished copy is no project's and is written over. */
async function assertFree(target: Transaction): Promise<void> {
  if ((await findProjectId(target)) === undefined) return;
  const goals = await listGoals(target);
  throw new LoopxError("project_id_conflict", {
    message: `the target holds a project already, with ${goals.length} goals; nothing was changed`,
    hint: "name another database, or have its owner remove the schema",
    details: { field: "to" },
  });
}

async function describe(tx: Transaction, projectId: string): Promise<MovedState> {
  const tables = (await digestRows(tx, PROJECT_SCHEMA)).filter(({ name }) => name !== IDENTITY);
  return { projectId, tables, digest: toDigest(tables), isResumed: false };
}

function toDigest(tables: readonly TableDigest[]): string {
  const lines = tables.map(({ name, rowCount, digest }) => `${name} ${rowCount} ${digest}\n`);
  return `sha256:${createHash("sha256").update(lines.join("")).digest("hex")}`;
}

async function assertDigest(target: Database, { digest, projectId }: MovedMark): Promise<void> {
  const copied = await target.read((tx) => describe(tx, projectId));
  // Once it is the project's, others may have written to it.
  const isActive = (await target.read(findProjectId)) === projectId;
  if (isActive || copied.digest === digest) return;
  throw new LoopxError("store_failed", {
    message: "the copy is not the same as what was copied; the project was not moved",
    hint: "run the command again; if it stays so, loopx doctor",
  });
}

/** The root is led to where its state is now: by writing its reference, or by taking it away. */
async function lead(root: string, target: OpenTarget, ambient: Ambient): Promise<void> {
  if (target.reference === null) removeStoreReference(root, ambient);
  else await saveStoreReference(root, target.reference, ambient);
}

async function loadProjectId(tx: Transaction): Promise<string> {
  const projectId = await findProjectId(tx);
  if (projectId !== undefined) return projectId;
  throw new LoopxError("project_not_connected", {
    message: "the project's store was never finished",
    hint: "loopx connect",
  });
}

async function loadMark(source: Database): Promise<MovedMark> {
  const mark = await source.read(findMovedMark);
  if (mark !== undefined) return mark;
  throw new LoopxError("internal", { message: "a store that was emptied has no mark" });
}

function toResumed({ projectId, digest }: MovedMark): MovedState {
  return { projectId, tables: [], digest, isResumed: true };
}
