import { LoopxError } from "@loopx/contracts";
import type { Database, Transaction } from "../database.ts";
import { backupSqlite } from "./backup-sqlite.ts";
import type { SqliteConnection } from "./sqlite-driver.ts";
import { isLockHeld, toReadOnlyError, toStoreError, type StoreAction, type StorePlace } from "./sqlite-errors.ts";
import { createStatementCache, SqliteTransaction, type CompiledStatement } from "./sqlite-transaction.ts";
import { waitForLock } from "./wait-for-lock.ts";

export interface SqliteDatabaseSettings {
  readonly connection: SqliteConnection;
  readonly place: StorePlace;
  readonly isWritable: boolean;
  /** How long one statement, BEGIN or COMMIT waits for other connections. */
  readonly busyTimeoutMs: number;
}

/** A SQLite store behind the port: one connection, one queue. */
export class SqliteDatabase implements Database {
  readonly engine = "sqlite";
  readonly isWritable: boolean;
  readonly #connection: SqliteConnection;
  readonly #place: StorePlace;
  readonly #busyTimeoutMs: number;
  readonly #compile: (sql: string) => CompiledStatement;
  #lastJob: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor({ connection, place, isWritable, busyTimeoutMs }: SqliteDatabaseSettings) {
    this.isWritable = isWritable;
    this.#connection = connection;
    this.#place = place;
    this.#busyTimeoutMs = busyTimeoutMs;
    this.#compile = createStatementCache(connection);
  }

  read<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#enqueue(() => this.#transact("read", work));
  }

  async write<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    if (!this.isWritable) throw toReadOnlyError(this.#place.label);
    return this.#enqueue(() => this.#transact("write", work));
  }

  async clearLog(): Promise<boolean> {
    if (!this.isWritable) throw toReadOnlyError(this.#place.label);
    return this.#enqueue(async () => this.#truncateLog());
  }

  async returnFreeSpace(): Promise<{ bytesBefore: number; bytesAfter: number }> {
    if (!this.isWritable) throw toReadOnlyError(this.#place.label);
    return this.#enqueue(async () => {
      const bytesBefore = this.#measure();
      // Its copy is made in memory, as all that is temporary; the journal brings the old pages back if it is cut off.
      await this.#control("VACUUM", "write");
      return { bytesBefore, bytesAfter: this.#measure() };
    });
  }

  backupTo(path: string): Promise<void> {
    const copyTo = (target: string): void => void this.#connection.prepare("VACUUM INTO ?").run([target]);
    return this.#enqueue(() =>
      backupSqlite(path, this.#place, (target) => waitForLock(() => copyTo(target), this.#busyTimeoutMs)),
    );
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    const closing = this.#enqueue(async () => this.#connection.close());
    this.#isClosed = true;
    await closing;
  }

  #enqueue<Result>(job: () => Promise<Result>): Promise<Result> {
    if (this.#isClosed) {
      return Promise.reject(
        new LoopxError("internal", { message: `${this.#place.label} was used after it was closed` }),
      );
    }
    const result = this.#lastJob.then(job);
    this.#lastJob = result.catch(() => undefined);
    return result;
  }

  async #transact<Result>(action: StoreAction, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    await this.#control(action === "write" ? "BEGIN IMMEDIATE" : "BEGIN", action);
    const tx = new SqliteTransaction({
      action,
      place: this.#place,
      busyTimeoutMs: this.#busyTimeoutMs,
      compile: this.#compile,
    });
    try {
      const result = await tx.complete(work);
      await this.#control("COMMIT", action);
      return result;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  async #control(sql: string, action: StoreAction): Promise<void> {
    try {
      await waitForLock(() => this.#compile(sql).statement.run([]), this.#busyTimeoutMs);
    } catch (error) {
      throw toStoreError(error, this.#place, action);
    }
  }

  /** With a rollback journal there is no log, and the engine says that none is left. */
  #truncateLog(): boolean {
    try {
      return this.#connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get([])?.["busy"] === 0;
    } catch (error) {
      if (isLockHeld(error)) return false;
      throw toStoreError(error, this.#place, "write");
    }
  }

  #measure(): number {
    return this.#readPragma("page_count") * this.#readPragma("page_size");
  }

  #readPragma(name: "page_count" | "page_size"): number {
    try {
      return Number(this.#connection.prepare(`PRAGMA ${name}`).get([])?.[name]);
    } catch (error) {
      throw toStoreError(error, this.#place, "write");
    }
  }

  // Fails only where the engine has rolled back by itself already; the error to report is the one that led here.
  #rollBack(): void {
    try {
      this.#connection.exec("ROLLBACK");
    } catch {}
  }
}
