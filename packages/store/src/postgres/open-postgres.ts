import { LoopxError, type Instant } from "@loopx/contracts";
import type { Database } from "../database.ts";
import {
  assertApplied,
  assertComplete,
  toSchemaVersion,
  type AppliedMigration,
  type Migration,
} from "../migrations.ts";
import { listDefinitions } from "../schema-definitions.ts";
import {
  toForeignDatabaseError,
  toForeignSchemaError,
  toMissingError,
  toNeedsMigrationError,
  toNewerSchemaError,
} from "../schema-errors.ts";
import { backupPostgres } from "./backup-postgres.ts";
import { describeDefinitions, SELECT_CATALOG } from "./describe-definitions.ts";
import { migratePostgres } from "./migrate-postgres.ts";
import type { PostgresAddress } from "./postgres-address.ts";
import { connectPostgres, type PostgresConnection } from "./postgres-connection.ts";
import { PostgresDatabase, toPostgresReadOnlyError } from "./postgres-database.ts";
import { toPostgresError } from "./postgres-errors.ts";

const DEFAULT_BUSY_TIMEOUT_MS = 30_000;
const DEFAULT_STATEMENT_TIMEOUT_MS = 60_000;
/** The server ends a statement by its own clock; who waits for it longer waits for a way that is cut off. */
const ANSWER_GRACE_MS = 5_000;
const OLDEST_SERVER = 150_000;

export interface OpenPostgresOptions {
  readonly address: PostgresAddress;
  /** The project's schema: a letter, then letters, digits and underscores, all in lower case, at most 63. */
  readonly schema: string;
  /** What the store is called in front of a user. */
  readonly label: string;
  /** `write` falls back to reading where the server takes no writes, as a standby. */
  readonly access: "read" | "write";
  /** The tables, in order. At least one. */
  readonly migrations: readonly Migration[];
  /** Creates a missing schema and its tables. */
  readonly create?: boolean;
  /** How long to wait for a lock that another connection holds. 30 seconds by default. */
  readonly busyTimeoutMs?: number;
  /** How long one statement may take beside that. 60 seconds by default. */
  readonly statementTimeoutMs?: number;
  now(): Instant;
  /** Called with the store in its old schema; when it throws, nothing is migrated. */
  beforeMigration?(database: Database): Promise<void>;
}

/**
 * Opens one schema of a PostgreSQL database (15 and newer) as a store, creating or migrating it where that is asked for.
 *
 * Refuses with `store_unreachable`, `store_access_denied`, `store_missing`, `store_corrupt` (other tables than LoopX makes, or
 * more), `store_newer_schema`, `store_needs_migration`, `store_busy`. A refusal changes nothing.
 */
export async function openPostgres(options: OpenPostgresOptions): Promise<Database> {
  assertSchemaName(options.schema);
  const { address, label } = options;
  const { busyTimeoutMs = DEFAULT_BUSY_TIMEOUT_MS, statementTimeoutMs = DEFAULT_STATEMENT_TIMEOUT_MS } = options;
  const answerTimeoutMs = busyTimeoutMs + statementTimeoutMs + ANSWER_GRACE_MS;
  const connection = await connectPostgres(address, { label, answerTimeoutMs });
  try {
    return await openConnected(connection, { ...options, busyTimeoutMs, statementTimeoutMs });
  } catch (error) {
    await connection.close();
    throw error;
  }
}

type TimedOptions = OpenPostgresOptions & { readonly busyTimeoutMs: number; readonly statementTimeoutMs: number };

async function openConnected(connection: PostgresConnection, options: TimedOptions): Promise<Database> {
  const { access, busyTimeoutMs, create = false, label, migrations, schema, statementTimeoutMs } = options;
  const found = await inspect(connection, options);
  assertServer(found, label);
  const database = new PostgresDatabase({
    connection,
    label,
    schema,
    isWritable: access === "write" && !found.isReadOnly,
    busyTimeoutMs,
    statementTimeoutMs,
    backupTo: (source, path) => backupPostgres(source, path, options),
  });
  const target = toSchemaVersion(migrations);
  if (found.version > target) throw toNewerSchemaError(label);
  if (found.version === 0 && (!create || access === "read")) throw toMissingError(label);
  if (found.version < target) {
    if (!database.isWritable) throw found.version === 0 ? toPostgresReadOnlyError(label) : toNeedsMigrationError(label);
    if (found.version > 0) await options.beforeMigration?.(database);
    await migratePostgres(database, connection, options);
    await inspect(connection, options);
  }
  return database;
}

interface FoundSchema {
  readonly serverVersion: number;
  readonly encoding: string;
  readonly isReadOnly: boolean;
  /** 0 where there is no store yet. */
  readonly version: number;
}

const SELECT_SERVER = `
SELECT current_setting('server_version_num')::int AS server_version, current_setting('server_encoding') AS encoding,
  pg_is_in_recovery() OR current_setting('default_transaction_read_only')::bool AS is_read_only,
  (SELECT oid::text FROM pg_namespace WHERE nspname = $1) AS schema_oid`;

/**
 * What the server and the schema are; on one snapshot, since another process may be migrating. No name is looked up in the
 * schema before it is known to hold what LoopX makes and nothing else: a function there would be code that runs.
 */
async function inspect(connection: PostgresConnection, options: OpenPostgresOptions): Promise<FoundSchema> {
  try {
    return await inspectAtOnce(connection, options);
  } catch (error) {
    throw toPostgresError(error, options.label, "read");
  }
}

async function inspectAtOnce(connection: PostgresConnection, options: OpenPostgresOptions): Promise<FoundSchema> {
  const { label, migrations, schema } = options;
  await connection.execute(
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;\nSET LOCAL search_path = pg_catalog, pg_temp",
  );
  try {
    const server = (await connection.query(SELECT_SERVER, [schema])).rows[0] ?? {};
    const found = {
      serverVersion: Number(server["server_version"]),
      encoding: String(server["encoding"]),
      isReadOnly: server["is_read_only"] === 1,
    };
    const { schema_oid: oid } = server;
    if (typeof oid !== "string") return { ...found, version: 0 };
    const lines = (await connection.query(SELECT_CATALOG, [oid])).rows.map((row) => String(row["line"]));
    if (lines.length === 0) return { ...found, version: 0 };
    if (!lines.includes("table schema_migrations")) throw toForeignDatabaseError(label);
    if (lines.some((line) => !/^(?:table|column|unique index|index) /.test(line))) throw toForeignSchemaError(label);
    const { rows } = await connection.query(
      `SELECT number, digest FROM "${schema}".schema_migrations ORDER BY number`,
      [],
    );
    const applied = rows.map((row) => ({ number: Number(row["number"]), digest: String(row["digest"]) }));
    const version = applied.at(-1)?.number ?? 0;
    if (version <= toSchemaVersion(migrations)) assertUnchanged(lines, applied, { label, migrations });
    return { ...found, version };
  } finally {
    await connection.execute("ROLLBACK").catch(() => undefined);
  }
}

function assertUnchanged(
  lines: readonly string[],
  applied: readonly AppliedMigration[],
  { label, migrations }: { readonly label: string; readonly migrations: readonly Migration[] },
): void {
  const known = migrations.slice(0, applied.length);
  assertApplied(
    applied,
    known.map((migration) => migration.digest),
    label,
  );
  assertComplete(applied.length, known, label);
  const missing = new Set(describeDefinitions(listDefinitions(known)));
  const foreign = lines.filter((line) => !missing.delete(line));
  if (foreign.length > 0 || missing.size > 0) throw toForeignSchemaError(label);
}

function assertServer({ serverVersion, encoding }: FoundSchema, label: string): void {
  if (serverVersion >= OLDEST_SERVER && encoding === "UTF8") return;
  throw new LoopxError("store_failed", {
    message: `the server of ${label} is older than PostgreSQL 15, or its database keeps text otherwise than in UTF8`,
    hint: "name another server or database in store.url",
  });
}

/** The name stands in statements: one of ours is a plain word, whatever a file says. */
function assertSchemaName(schema: string): void {
  if (/^[a-z][a-z0-9_]{0,62}$/.test(schema)) return;
  throw new LoopxError("invalid_value", {
    message: "a schema's name is a letter and then letters, digits and underscores, in lower case, 63 in all",
    details: { field: "schema" },
  });
}
