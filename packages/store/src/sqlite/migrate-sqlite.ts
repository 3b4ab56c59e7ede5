import type { Instant } from "@loopx/contracts";
import type { Transaction } from "../database.ts";
import {
  MIGRATIONS_TABLE_SQL,
  toMigrationDigest,
  toSchemaVersion,
  verifyAppliedMigrations,
  type Migration,
} from "../migrations.ts";
import type { SqliteDatabase } from "./sqlite-database.ts";
import type { SqliteConnection } from "./sqlite-driver.ts";
import { toForeignDatabaseError, toNewerSchemaError } from "../schema-errors.ts";
import { toStoreError, type StorePlace } from "./sqlite-errors.ts";

export interface MigrationPlan {
  readonly place: StorePlace;
  readonly migrations: readonly Migration[];
  now(): Instant;
}

/**
 * Applies what is missing, all of it in one transaction. Does nothing when another process was faster.
 *
 * Refuses with `store_newer_schema`, `store_corrupt`.
 */
export async function migrateSqlite(
  database: SqliteDatabase,
  connection: SqliteConnection,
  plan: MigrationPlan,
): Promise<void> {
  const { migrations, place } = plan;
  const target = toSchemaVersion(migrations);
  await database.write(async (tx) => {
    const version = await readSchemaVersion(tx);
    if (version > target) throw toNewerSchemaError(place.label);
    if (version === target) return;
    if (version === 0) await tx.run(MIGRATIONS_TABLE_SQL);
    const appliedCount = await verifyAppliedMigrations(tx, migrations, place.label);
    if (appliedCount !== version) throw toForeignDatabaseError(place.label);
    for (const migration of migrations.slice(appliedCount)) {
      execute(connection, migration.sql, place);
      await migration.fill?.(tx);
      await tx.run(
        "INSERT INTO schema_migrations (number, name, digest, applied_at) VALUES (?, ?, ?, ?)",
        migration.number,
        migration.name,
        await toMigrationDigest(migration),
        plan.now(),
      );
    }
    execute(connection, `PRAGMA user_version = ${target}`, place);
  });
}

export async function readSchemaVersion(tx: Transaction): Promise<number> {
  const row = await tx.get<{ readonly user_version: number }>("PRAGMA user_version");
  return row?.user_version ?? 0;
}

// The connection is the transaction's own: only its statements, several in one text, do not fit the port.
function execute(connection: SqliteConnection, sql: string, place: StorePlace): void {
  try {
    connection.exec(sql);
  } catch (error) {
    throw toStoreError(error, place, "write");
  }
}
