import { LoopxError } from "@loopx/contracts";
import type { Database, Transaction } from "./database.ts";

/** One step of a schema. Frozen once shipped: its text is digested where it was applied. */
export interface Migration {
  /** 1, 2, 3 …, without gaps. */
  readonly number: number;
  /** What it brings, a few words. */
  readonly name: string;
  /** Statements that PostgreSQL takes too, separated by semicolons, which stand nowhere else. */
  readonly sql: string;
  /** What SQLite keeps as the text of a table that an `ALTER` of this step changed: an opening compares it. */
  readonly redefines?: readonly string[];
  /** What `toMigrationDigest` says of the text; written down, since every opening compares it and has no time to compute it. */
  readonly digest?: string;
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
 * Opening a store compares the digests that are written down; this one computes them, which is too slow for hot commands.
 * Refuses with `store_corrupt`.
 */
export async function verifyMigrations(
  database: Database,
  migrations: readonly Migration[],
  storeLabel: string,
): Promise<void> {
  const appliedCount = await database.read((tx) => verifyAppliedMigrations(tx, migrations, storeLabel));
  assertComplete(appliedCount, migrations, storeLabel);
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
  const applied = await tx.all<AppliedMigration>(SELECT_APPLIED);
  const digests = await Promise.all(migrations.map(toMigrationDigest));
  assertApplied(applied, digests, storeLabel);
  return applied.length;
}

export interface AppliedMigration {
  readonly number: number;
  readonly digest: string;
}

export const SELECT_APPLIED = "SELECT number, digest FROM schema_migrations ORDER BY number";

/**
 * Checks what a store says was applied to it against the digests the program has, one for each migration it knows.
 *
 * Refuses with `store_corrupt`.
 */
export function assertApplied(
  applied: readonly AppliedMigration[],
  digests: readonly (string | undefined)[],
  storeLabel: string,
): void {
  for (const [index, row] of applied.entries()) {
    if (row.number !== index + 1 || index >= digests.length) {
      throw toHistoryError(storeLabel, `its schema migration ${row.number} is unknown or out of order`);
    }
    if (row.digest !== (digests[index] ?? row.digest)) {
      throw toHistoryError(
        storeLabel,
        `its schema migration ${row.number} was made from another text than this LoopX has`,
      );
    }
  }
}

/** Checks that as many were applied as there are. Refuses with `store_corrupt`. */
export function assertComplete(appliedCount: number, migrations: readonly Migration[], storeLabel: string): void {
  if (appliedCount === migrations.length) return;
  throw toHistoryError(storeLabel, `it has ${appliedCount} of ${migrations.length} schema migrations`);
}

function toHistoryError(storeLabel: string, what: string): LoopxError {
  return new LoopxError("store_corrupt", {
    message: `${storeLabel} does not fit this LoopX: ${what}`,
    hint: "loopx doctor",
  });
}
