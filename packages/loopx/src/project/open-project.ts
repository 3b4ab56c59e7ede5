import { join } from "node:path";
import { LoopxError, type Ambient } from "@loopx/contracts";
import { findMovedMark, findProjectId, toMovedError } from "@loopx/control-plane";
import { assertStorePlace, openSqlite, type Database } from "@loopx/store";
import { assertTrusted } from "./assert-trusted.ts";
import { makeBackupsDirectory } from "./backups.ts";
import { PROJECT_SCHEMA } from "./project-schema.ts";
import { isOnServer, STORE_FILE, STORE_LABEL, toRootLabel, toStorePath } from "./project-roots.ts";
import type { ServerStoreOptions } from "../server-store/open-server-store.ts";
import { withRepairHint } from "./with-repair-hint.ts";

/** A project's store, open, and where it was found. */
export interface OpenProject {
  /** Real path; for use, never for a packet. */
  readonly root: string;
  readonly label: string;
  readonly database: Database;
  readonly projectId: string;
}

/**
 * Opens the store of a root that has one.
 *
 * Refuses with `store_missing` and whatever `openSqlite` refuses.
 */
export async function openProject(root: string, access: "read" | "write", ambient: Ambient): Promise<OpenProject> {
  const beforeMigration = (old: Database): Promise<void> => assertMayMigrate(root, old, ambient);
  const database = await openProjectStore(root, { access, create: false, beforeMigration }, ambient);
  try {
    const projectId = await database.read(findProjectId);
    if (projectId === undefined) throw await toUnusableError(database);
    return { root, label: toRootLabel(root), database, projectId };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** A migration is a write: of a store that this machine has no reason to trust, it is an owner's who connects it. */
export async function assertMayMigrate(root: string, database: Database, ambient: Ambient): Promise<void> {
  const projectId = await database.read(findProjectId);
  if (projectId === undefined) throw toUnfinishedError();
  await assertTrusted({ root, projectId }, ambient);
}

interface StoreOptions {
  readonly access: "read" | "write";
  readonly create: boolean;
  readonly busyTimeoutMs?: number;
  /** Called with the store in its old schema; when it throws, nothing is written. */
  readonly beforeMigration?: (database: Database) => Promise<void>;
}

/** Opens, or with `create` makes, the store itself; the folder for it must exist. */
export async function openProjectStore(root: string, options: StoreOptions, ambient: Ambient): Promise<Database> {
  assertStorePlace(root, STORE_FILE);
  if (isOnServer(root)) {
    const { openServerStore } = await import("../programs/server-store.ts");
    return openServerStore(root, toServerOptions(options, ambient), ambient);
  }
  return openStoreFile(root, options, ambient);
}

/** The same for the file in a root, wherever its store is. */
export function openStoreFile(
  root: string,
  { beforeMigration, ...opening }: StoreOptions,
  ambient: Ambient,
): Promise<Database> {
  return withRepairHint("loopx restore --execute", () =>
    openSqlite({
      path: toStorePath(root),
      label: STORE_LABEL,
      ...opening,
      journal: "rollback",
      migrations: PROJECT_SCHEMA,
      now: () => ambient.now(),
      backupBeforeMigration: async (database) => {
        await beforeMigration?.(database);
        await backupBeforeMigration(database, ambient);
      },
    }),
  );
}

function toServerOptions(options: StoreOptions, ambient: Ambient): ServerStoreOptions {
  const { access, beforeMigration, busyTimeoutMs } = options;
  return {
    access,
    ...(busyTimeoutMs === undefined ? {} : { busyTimeoutMs }),
    beforeMigration: async (database) => {
      await beforeMigration?.(database);
      await backupBeforeMigration(database, ambient);
    },
  };
}

async function backupBeforeMigration(database: Database, ambient: Ambient): Promise<void> {
  const directory = makeBackupsDirectory(ambient);
  await database.backupTo(join(directory, `${ambient.newId("before-migration")}.db`));
}

/** A store that holds no project: its state was moved, or its creation was cut short. */
async function toUnusableError(database: Database): Promise<LoopxError> {
  const moved = await database.read(findMovedMark);
  return moved === undefined ? toUnfinishedError() : toMovedError(moved);
}

/** A store whose creation was cut short before it was given an id. */
function toUnfinishedError(): LoopxError {
  return new LoopxError("project_not_connected", {
    message: "the project's store was never finished",
    hint: "loopx connect",
  });
}
