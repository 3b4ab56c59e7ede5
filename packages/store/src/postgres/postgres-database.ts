import { LoopxError } from "@loopx/contracts";
import type { Database, Transaction } from "../database.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import { isConnectionLost } from "../lost-connection.ts";
import { isRetryable, toPostgresError } from "./postgres-errors.ts";
import { PostgresTransaction } from "./postgres-transaction.ts";

export interface PostgresDatabaseSettings {
  readonly connection: PostgresConnection;
  readonly label: string;
  /** The project's schema: a plain word, see `parseSchemaName`. */
  readonly schema: string;
  readonly isWritable: boolean;
  /** How long the write lock and every other lock is waited for. */
  readonly busyTimeoutMs: number;
  /** How long one statement may take, waiting for locks apart. */
  readonly statementTimeoutMs: number;
  /** Writes the committed state to a new file. */
  backupTo(database: Database, path: string): Promise<void>;
}

/** A process that was stopped, or cut off, must not keep the project's write lock: its transaction is undone. */
const IDLE_TIMEOUT_MS = 60_000;
const WRITE_ATTEMPTS = 3;

/** A schema of a PostgreSQL database behind the port: one connection, one queue. */
export class PostgresDatabase implements Database {
  readonly engine = "postgres";
  readonly isWritable: boolean;
  readonly #settings: PostgresDatabaseSettings;
  #lastJob: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(settings: PostgresDatabaseSettings) {
    this.#settings = settings;
    this.isWritable = settings.isWritable;
  }

  read<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#enqueue(() => this.#transact("read", work));
  }

  async write<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    if (!this.isWritable) throw toPostgresReadOnlyError(this.#settings.label);
    return this.#enqueue(() => this.#writeAgain(work));
  }

  /** A server's log is not beside the store but its owner's, who keeps it for as long as backups and replicas need it. */
  async clearLog(): Promise<boolean> {
    if (!this.isWritable) throw toPostgresReadOnlyError(this.#settings.label);
    return true;
  }

  /** The server's own vacuum does that, when its owner has it run. */
  async returnFreeSpace(): Promise<undefined> {
    if (!this.isWritable) throw toPostgresReadOnlyError(this.#settings.label);
    return undefined;
  }

  async backupTo(path: string): Promise<void> {
    await this.#settings.backupTo(this, path);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    const closing = this.#enqueue(() => this.#settings.connection.close());
    this.#isClosed = true;
    await closing;
  }

  #enqueue<Result>(job: () => Promise<Result>): Promise<Result> {
    if (this.#isClosed) {
      const message = `${this.#settings.label} was used after it was closed`;
      return Promise.reject(new LoopxError("internal", { message }));
    }
    const result = this.#lastJob.then(job);
    this.#lastJob = result.catch(() => undefined);
    return result;
  }

  /** Only what the server undid for another's sake is done again: then nothing of it was kept. */
  async #writeAgain<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#transact("write", work);
      } catch (error) {
        if (attempt === WRITE_ATTEMPTS || !isRetryable(error)) throw error;
      }
    }
  }

  async #transact<Result>(action: "read" | "write", work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const { connection, label } = this.#settings;
    const tx = new PostgresTransaction({ action, label, connection });
    try {
      await this.#control(toBeginning(action, this.#settings), action);
      const result = await tx.complete(work);
      await this.#control("COMMIT", action === "write" ? "commit" : "read");
      return result;
    } catch (error) {
      await this.#abandon(error);
      throw error;
    }
  }

  async #control(sql: string, action: "read" | "write" | "commit"): Promise<void> {
    try {
      await this.#settings.connection.execute(sql);
    } catch (error) {
      throw toPostgresError(error, this.#settings.label, action);
    }
  }

  /** A lost connection takes its transaction with it, and is given up: what is asked of it next is told so at once. */
  async #abandon(cause: unknown): Promise<void> {
    const { connection } = this.#settings;
    // The error to report is the one that led here.
    if (isConnectionLost(cause)) await connection.close();
    else await connection.execute("ROLLBACK").catch(() => undefined);
  }
}

/**
 * What begins a transaction, in one message to the server.
 *
 * A writer takes the schema's lock before its first statement, as `BEGIN IMMEDIATE` does, so writers follow one another. It
 * must be READ COMMITTED: a snapshot taken before the lock was granted would not show what the writer before has written.
 * All settings end with the transaction: behind a pool of connections, they would be another's next.
 */
function toBeginning(action: "read" | "write", settings: PostgresDatabaseSettings): string {
  const { schema, busyTimeoutMs, statementTimeoutMs } = settings;
  const isWrite = action === "write";
  return [
    `BEGIN ISOLATION LEVEL ${isWrite ? "READ COMMITTED READ WRITE" : "REPEATABLE READ READ ONLY"}`,
    // Temporary tables come last: they are found first where they are not named.
    `SET LOCAL search_path = "${schema}", pg_temp`,
    `SET LOCAL statement_timeout = ${statementTimeoutMs + busyTimeoutMs}`,
    `SET LOCAL idle_in_transaction_session_timeout = ${Math.min(IDLE_TIMEOUT_MS, statementTimeoutMs)}`,
    // 0 would mean to wait without end.
    `SET LOCAL lock_timeout = ${Math.max(busyTimeoutMs, 1)}`,
    // A policy on a table would hide rows: this makes it an error.
    "SET LOCAL row_security = off",
    ...(isWrite
      ? [
          "SET LOCAL synchronous_commit = on",
          `SELECT pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('loopx:${schema}', 0))`,
        ]
      : []),
  ].join(";\n");
}

/** The refusal of a write where the server takes none. */
export function toPostgresReadOnlyError(label: string): LoopxError {
  return new LoopxError("store_read_only", {
    message: `${label} can be read but not written here`,
    hint: "name the primary server in store.url, and run the command where it may write",
  });
}
