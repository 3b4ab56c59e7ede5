import { MIGRATIONS_TABLE_SQL, toMigrationDigest, toSchemaVersion, verifyAppliedMigrations } from "../migrations.ts";
import type { OpenPostgresOptions } from "./open-postgres.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import type { PostgresDatabase } from "./postgres-database.ts";
import { toPostgresError } from "./postgres-errors.ts";
import { toPostgresDefinition } from "./postgres-definitions.ts";

/**
 * Applies what is missing, all of it in one transaction, and makes the schema first where it is not there. Does nothing when
 * another process was faster.
 *
 * Refuses with `store_access_denied` where the user may not create.
 */
export async function migratePostgres(
  database: PostgresDatabase,
  connection: PostgresConnection,
  options: Pick<OpenPostgresOptions, "label" | "migrations" | "schema" | "now">,
): Promise<void> {
  const { label, migrations, schema } = options;
  // The connection is the transaction's own: only its statements, several in one text, do not fit the port.
  const execute = (sql: string): Promise<void> =>
    connection.execute(sql).catch((error: unknown) => {
      throw toPostgresError(error, label, "write");
    });
  await database.write(async (tx) => {
    const made = await tx.get("SELECT 1 AS made FROM pg_catalog.pg_namespace WHERE nspname = ?", schema);
    // Asked first: whoever may not create schemas may still use one that was made for them.
    if (made === undefined) await execute(`CREATE SCHEMA "${schema}"`);
    await execute(toPostgresDefinition(MIGRATIONS_TABLE_SQL));
    const appliedCount = await verifyAppliedMigrations(tx, migrations, label);
    if (appliedCount >= toSchemaVersion(migrations)) return;
    for (const migration of migrations.slice(appliedCount)) {
      await execute(toPostgresDefinition(migration.sql));
      await migration.fill?.(tx);
      await tx.run(
        "INSERT INTO schema_migrations (number, name, digest, applied_at) VALUES (?, ?, ?, ?)",
        migration.number,
        migration.name,
        await toMigrationDigest(migration),
        options.now(),
      );
    }
  });
}
