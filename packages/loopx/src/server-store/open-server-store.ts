import { LoopxError, parseProjectId, toEpochMs, type Ambient } from "@loopx/contracts";
import { ensureProjectId, findMovedMark, findProjectId, toMovedError } from "@loopx/control-plane";
import { parseSecretReference, resolveSecret } from "@loopx/runtime-context";
import type { Database } from "@loopx/store";
import {
  openPostgres,
  parsePostgresUrl,
  readServerClock,
  renderPostgresAddress,
  type PostgresAddress,
} from "@loopx/store/postgres";
import { PROJECT_SCHEMA } from "../project/project-schema.ts";
import {
  loadStoreReference,
  parsePasswordReference,
  parsePlainUrl,
  saveStoreReference,
  type StoreReference,
} from "./store-reference.ts";

const LABEL = "the project's store";

export interface ServerStoreOptions {
  readonly access: "read" | "write";
  readonly busyTimeoutMs?: number;
  /** Called with the store in its old schema; when it throws, nothing is written. */
  readonly beforeMigration?: (database: Database) => Promise<void>;
}

/**
 * Opens the store of a root whose state a server keeps.
 *
 * `LOOPX_STORE_URL` says how this process reaches the server, where that is otherwise than the project's reference says.
 * Refuses with `project_not_trusted`, `secret_unavailable`, and whatever `openPostgres` refuses.
 */
export async function openServerStore(root: string, options: ServerStoreOptions, ambient: Ambient): Promise<Database> {
  const reference = loadStoreReference(root, ambient);
  return openReferenced(root, reference, { ...options, create: false }, ambient);
}

export interface ChosenServer {
  readonly url: string;
  readonly password: string | undefined;
  /** Of a project that the server has already; a new one is made without. */
  readonly projectId: string | undefined;
}

/**
 * Makes a project's schema on a server, or finds the one of the project named, and writes the reference into the root.
 *
 * Refuses as `openServerStore`; with `project_id_conflict` a schema that holds another project than its name says.
 */
export async function createServerStore(root: string, chosen: ChosenServer, ambient: Ambient): Promise<Database> {
  const isNew = chosen.projectId === undefined;
  const projectId = chosen.projectId === undefined ? ambient.newId("project") : parseProjectId(chosen.projectId);
  const reference = {
    url: toReferenceUrl(chosen.url, ambient),
    password: chosen.password === undefined ? null : parsePasswordReference(chosen.password),
    schema: toSchemaName(projectId),
  };
  const database = await openReferenced(root, reference, { access: "write", create: isNew }, ambient);
  try {
    const found = isNew ? await ensureProjectId(database, projectId, ambient) : await database.read(findProjectId);
    const moved = found === undefined ? await database.read(findMovedMark) : undefined;
    if (moved !== undefined) throw toMovedError(moved);
    if (found !== projectId) throw toOtherProjectError();
    await saveStoreReference(root, reference, ambient);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** A server's store that a project is to be moved to, and the reference that will lead to it. */
export interface MoveTarget {
  readonly reference: StoreReference;
  readonly database: Database;
}

export interface MoveTargetQuery extends Omit<ChosenServer, "projectId"> {
  readonly projectId: string;
  /** Only to look at: a missing schema is `store_missing` then. */
  readonly isDryRun: boolean;
}

/**
 * Opens a project's schema on the server that it is moved to, and makes it where it is missing. The reference is not written.
 *
 * Refuses as `openServerStore`; with `invalid_value` where the environment leads to another server than the one named.
 */
export async function openMoveTarget(
  root: string,
  { url, password, projectId, isDryRun }: MoveTargetQuery,
  ambient: Ambient,
): Promise<MoveTarget> {
  const own = ambient.env["LOOPX_STORE_URL"];
  if (own !== undefined && own !== "" && toReferenceUrl(own, ambient) !== toReferenceUrl(url, ambient)) {
    throw new LoopxError("invalid_value", {
      message: "LOOPX_STORE_URL leads this process to another server than --to",
      hint: "unset LOOPX_STORE_URL, then run the command again",
      details: { field: "to" },
    });
  }
  const reference = {
    url: toReferenceUrl(url, ambient),
    password: password === undefined ? null : parsePasswordReference(password),
    schema: toSchemaName(projectId),
  };
  const opening = { access: isDryRun ? "read" : "write", create: !isDryRun } as const;
  return { reference, database: await openReferenced(root, reference, opening, ambient) };
}

/** `project_1a2b…` is kept in `loopx_1a2b…`. */
function toSchemaName(projectId: string): string {
  return `loopx_${projectId.replace(/^project_/, "").replaceAll("-", "_")}`.toLowerCase();
}

/** What the environment says may hold a password: then the reference keeps the rest. */
function toReferenceUrl(url: string, { env }: Ambient): string {
  if (url !== env["LOOPX_STORE_URL"]) return parsePlainUrl(url);
  parsePostgresUrl(url, "LOOPX_STORE_URL");
  const plain = new URL(url);
  plain.password = "";
  return plain.href;
}

async function openReferenced(
  root: string,
  reference: StoreReference,
  options: ServerStoreOptions & { readonly create: boolean },
  ambient: Ambient,
): Promise<Database> {
  const address = toAddress(root, reference, ambient);
  const database = await openPostgres({
    ...options,
    address,
    schema: reference.schema,
    label: LABEL,
    migrations: PROJECT_SCHEMA,
    now: () => ambient.now(),
  });
  try {
    if (options.access === "write") await assertSameClock(database, address, ambient);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

function toAddress(root: string, { url, password }: StoreReference, { env }: Ambient): PostgresAddress {
  const own = env["LOOPX_STORE_URL"];
  const address =
    own === undefined || own === "" ? parsePostgresUrl(url, "store.url") : parsePostgresUrl(own, "LOOPX_STORE_URL");
  if (address.password !== undefined || password === null) return address;
  const secret = parseSecretReference(password, root);
  return secret === undefined ? address : { ...address, password: resolveSecret(secret, env).reveal() };
}

const CLOCKS_MAY_DIFFER_MS = 5_000;

/**
 * Checks that this machine's clock goes with the server's, which is the one clock that all machines of a project share.
 *
 * A lease ends by the clock of whoever looks at it: a machine that is minutes ahead would take a todo from one that works on it.
 */
async function assertSameClock(database: Database, address: PostgresAddress, ambient: Ambient): Promise<void> {
  const before = toEpochMs(ambient.now());
  const server = toEpochMs(await readServerClock(database));
  const after = toEpochMs(ambient.now());
  if (server > before - CLOCKS_MAY_DIFFER_MS && server < after + CLOCKS_MAY_DIFFER_MS) return;
  throw new LoopxError("store_failed", {
    message: `this machine's clock and that of ${renderPostgresAddress(address)} differ by more than 5 seconds; nothing was written`,
    hint: "set both clocks by one time server (NTP), then run the command again",
  });
}

function toOtherProjectError(): LoopxError {
  return new LoopxError("project_id_conflict", {
    message: "the server holds another project under this id, or an unfinished one; nothing was changed",
    hint: "name the id that loopx connect shows on the machine that has the project",
    details: { field: "project_id" },
  });
}
