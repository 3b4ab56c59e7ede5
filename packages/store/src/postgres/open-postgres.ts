import type { Instant } from "@loopx/contracts";
import type { Database } from "../database.ts";
import type { Migration } from "../migrations.ts";
import type { PostgresAddress } from "./postgres-address.ts";

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
  const { openPostgresSchema } = await import("./open-postgres-schema.ts");
  return openPostgresSchema(options);
}
