import { LoopxError } from "@loopx/contracts";
import type { Database, Transaction } from "./database.ts";

/** One step of a schema. Frozen once shipped: its text is digested where it was applied. */
export interface Migration {
  /** 1, 2, 3 …, without gaps. */
  readonly number: number;
  /** What it brings, a few words. */
  readonly name: string;
  /** Statements that PostgreSQL takes too, separated by semicolons. */
  readonly sql: string;
  /** Fills what the statements made from the rows of before, in the same transaction. A new store has none. */
  fill?(tx: Transaction): Promise<void>;
}

export const MIGRATIONS_TABLE_SQL = `CREATE TABLE IF NOT EXISTS schema_migrations (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  digest TEXT NOT NULL,
  applied_at TEXT NOT NULL
)`;

/** The number of the last migration, which a store that has them all carries as its version. */
export function toSchemaVersion(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.number ?? 0;
}

/** `sha256:` and the hex digest of the exact text. */
export async function toMigrationDigest(migration: Migration): Promise<string> {
  // Loaded here because hot commands neither migrate nor verify.
  const { createHash } = await import("node:crypto");
  return `sha256:${createHash("sha256").update(migration.sql).digest("hex")}`;
}

/**
 * Checks that a store holds exactly these migrations, with the texts they have now.
 *
 * Too slow for hot commands, which compare version numbers only; `doctor` calls it.
 * Refuses with `store_corrupt`.
 */
export async function verifyMigrations(
  database: Database,
  migrations: readonly Migration[],
  storeLabel: string,
): Promise<void> {
  const appliedCount = await database.read((tx) => verifyAppliedMigrations(tx, migrations, storeLabel));
  if (appliedCount !== migrations.length) {
    throw toHistoryError(storeLabel, `it has ${appliedCount} of ${migrations.length} schema migrations`);
  }
}

/**
 * Checks the migrations that a store says it has against those the program knows; returns how many those are.
 *
 * Refuses with `store_corrupt`: a changed text, a gap, or one the program does not know.
 */
export async function verifyAppliedMigrations(
  tx: Transaction,
  migrations: readonly Migration[],
  storeLabel: string,
): Promise<number> {
  const applied = await tx.all<{ readonly number: number; readonly digest: string }>(
    "SELECT number, digest FROM schema_migrations ORDER BY number",
  );
  for (const [index, row] of applied.entries()) {
    const migration = migrations[index];
    if (!migration || row.number !== migration.number) {
      throw toHistoryError(storeLabel, `its schema migration ${row.number} is unknown or out of order`);
    }
    if (row.digest !== (await toMigrationDigest(migration))) {
      throw toHistoryError(
        storeLabel,
        `its schema migration ${row.number} was made from another text than this LoopX has`,
      );
    }
  }
  return applied.length;
}

function toHistoryError(storeLabel: string, what: string): LoopxError {
  return new LoopxError("store_corrupt", {
    message: `${storeLabel} does not fit this LoopX: ${what}`,
    hint: "loopx doctor",
  });
}
