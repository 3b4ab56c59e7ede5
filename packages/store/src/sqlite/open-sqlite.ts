import { accessSync, constants } from "node:fs";
import { dirname, resolve } from "node:path";
import { LoopxError, type Instant } from "@loopx/contracts";
import type { Database, Transaction } from "../database.ts";
import { assertApplied, assertComplete, SELECT_APPLIED, toSchemaVersion, type Migration } from "../migrations.ts";
import {
  assertMigrationsTable,
  assertSchema,
  isAsCreated,
  SELECT_SCHEMA,
  SELECT_SCHEMA_TEXT,
} from "./assert-schema.ts";
import { READER_SETTINGS, WRITER_SETTINGS } from "./connection-settings.ts";
import { createSqlite } from "./create-sqlite.ts";
import { assertSideFiles, findConflictMarker, hasStoreFile } from "./inspect-store-file.ts";
import { loadSqliteDriver } from "./load-sqlite-driver.ts";
import { migrateSqlite, readSchemaVersion } from "./migrate-sqlite.ts";
import { toForeignDatabaseError, toMissingError, toNeedsMigrationError, toNewerSchemaError } from "../schema-errors.ts";
import { SqliteDatabase } from "./sqlite-database.ts";
import type { SqliteConnection, SqliteDriver, SqliteDriverName } from "./sqlite-driver.ts";
import { findSqliteCode, toStoreError, type StorePlace } from "./sqlite-errors.ts";
import { waitForLock } from "./wait-for-lock.ts";

const DEFAULT_BUSY_TIMEOUT_MS = 30_000;

export interface OpenSqliteOptions {
  readonly path: string;
  /** What the store is called in front of a user, like `.loopx/state.db`. No message holds its path. */
  readonly label: string;
  /** `write` falls back to reading where the file or its directory cannot be written. */
  readonly access: "read" | "write";
  /** Of a store that is created here; an existing one keeps its own. Only servers that live long may take `wal`. */
  readonly journal: "rollback" | "wal";
  /** The schema, in order. At least one. */
  readonly migrations: readonly Migration[];
  /** Creates a missing store. Its directory must exist. */
  readonly create?: boolean;
  /** Overwrites with zeroes what is deleted or replaced. */
  readonly secureDelete?: boolean;
  /** How long to wait for a lock that another connection holds. 30 seconds by default; 0 never waits. */
  readonly busyTimeoutMs?: number;
  /** That driver or none. By default the first one that this Node has. */
  readonly driver?: SqliteDriverName;
  now(): Instant;
  /** Called with the store in its old schema; when it throws, nothing is migrated. */
  backupBeforeMigration?(database: Database): Promise<void>;
}

/**
 * Opens a store, creating or migrating it where that is asked for and possible.
 *
 * Refuses with `store_missing`, `store_corrupt`, `store_newer_schema`, `store_needs_migration` (an old schema, read-only),
 * `store_needs_recovery` (an interrupted write, read-only), `store_busy`, `sqlite_unavailable`. A refusal changes nothing.
 */
export async function openSqlite(options: OpenSqliteOptions): Promise<Database> {
  const { access, create = false, label, migrations } = options;
  const place: StorePlace = { path: resolve(options.path), label };
  const driver = loadSqliteDriver(options.driver);
  assertSideFiles(place);
  if (!hasStoreFile(place)) {
    if (!create || access === "read") throw toMissingError(label);
    await createSqlite(driver, { migrations, place, now: () => options.now() }, options.journal);
  }
  return openExisting(driver, place, options);
}

async function openExisting(driver: SqliteDriver, place: StorePlace, options: OpenSqliteOptions): Promise<Database> {
  const isRecoverable = mayWrite(place.path);
  const isWritable = options.access === "write" && isRecoverable;
  const busyTimeoutMs = options.busyTimeoutMs ?? DEFAULT_BUSY_TIMEOUT_MS;
  // A reader that may write opens for writing too: whoever comes first after a killed writer rolls its write back, also a
  // reader that was open before. What it is opened for still decides what it may write: see `SqliteDatabase`.
  const connection = connect(driver, place, isRecoverable);
  try {
    await waitForLock(() => connection.exec(isWritable ? WRITER_SETTINGS : READER_SETTINGS), busyTimeoutMs);
    if (options.secureDelete === true) connection.prepare("PRAGMA secure_delete = ON").get([]);
    const version = await waitForLock(() => inspect(connection, options), busyTimeoutMs);
    const database = new SqliteDatabase({ connection, place, isWritable, busyTimeoutMs });
    if (version !== toSchemaVersion(options.migrations)) {
      await bringUpToDate(database, connection, { place, version, options });
    }
    return database;
  } catch (error) {
    connection.close();
    throw toOpeningError(error, place);
  }
}

function connect(driver: SqliteDriver, place: StorePlace, isRecoverable: boolean): SqliteConnection {
  try {
    return driver.open(place.path, { readonly: !isRecoverable });
  } catch (error) {
    throw toStoreError(error, place, "open");
  }
}

/**
 * The version of the schema, and whether it is ours where the version is. The first statement reads the file, and so finds
 * out whether it is a database.
 *
 * Every command pays for these statements. In one transaction they take the engine's lock once, and speak of one moment.
 */
function inspect(connection: SqliteConnection, options: OpenSqliteOptions): number {
  connection.exec("BEGIN");
  try {
    const version = Number(connection.prepare("PRAGMA user_version").get([])?.["user_version"]);
    if (version === toSchemaVersion(options.migrations)) assertUnchanged(connection, options);
    return version;
  } finally {
    endReading(connection);
  }
}

// Fails only where the engine has ended it already; what led there is the error to report.
function endReading(connection: SqliteConnection): void {
  try {
    connection.exec("ROLLBACK");
  } catch {}
}

/** Two short statements: a store made by other texts than ours would fail later, at whatever it lacks. */
function assertUnchanged(connection: SqliteConnection, { migrations, label }: OpenSqliteOptions): void {
  const texts = connection.prepare(SELECT_SCHEMA_TEXT).get([])?.["texts"];
  const schema = isAsCreated(texts, migrations) ? undefined : connection.prepare(SELECT_SCHEMA).all([]);
  if (schema !== undefined) assertMigrationsTable(schema, label);
  const rows = connection.prepare(SELECT_APPLIED).all([]);
  const applied = rows.map((row) => ({ number: Number(row["number"]), digest: String(row["digest"]) }));
  const digests = migrations.map((migration) => migration.digest);
  assertApplied(applied, digests, label);
  assertComplete(applied.length, migrations, label);
  if (schema !== undefined) assertSchema(schema, migrations, label);
}

interface OutdatedStore {
  readonly place: StorePlace;
  readonly version: number;
  readonly options: OpenSqliteOptions;
}

async function bringUpToDate(
  database: SqliteDatabase,
  connection: SqliteConnection,
  { place, version, options }: OutdatedStore,
): Promise<void> {
  const { label } = place;
  if (version > toSchemaVersion(options.migrations)) throw toNewerSchemaError(label);
  if (version <= 0) throw toForeignDatabaseError(label);
  await database.read(async (tx) => assertSchemaOfVersion(tx, options));
  if (!database.isWritable) throw toNeedsMigrationError(label);
  await options.backupBeforeMigration?.(database);
  await migrateSqlite(database, connection, { place, migrations: options.migrations, now: () => options.now() });
}

/** On one snapshot: another process may be migrating. */
async function assertSchemaOfVersion(tx: Transaction, { migrations, label }: OpenSqliteOptions): Promise<void> {
  const version = await readSchemaVersion(tx);
  const schema = await tx.all(SELECT_SCHEMA);
  assertMigrationsTable(schema, label);
  assertSchema(schema, migrations.slice(0, version), label);
}

// Asks the system, not the mode bits: a read-only mount refuses too.
function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

// What the engine did not say comes from a callback of the caller, and is the caller's to understand.
function toOpeningError(error: unknown, place: StorePlace): unknown {
  const engineCode = findSqliteCode(error);
  if (engineCode === undefined) return error;
  const marker = engineCode === "SQLITE_NOTADB" ? findConflictMarker(place.path) : undefined;
  if (marker === undefined) return toStoreError(error, place, "open");
  return new LoopxError("store_corrupt", {
    message: `${place.label} holds a git conflict marker in line ${marker}; it was left as it is`,
    hint: "restore the store from a backup: it must not be merged by git",
    cause: error,
  });
}
