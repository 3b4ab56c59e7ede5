import { LoopxError } from "@loopx/contracts";
import type { SqlRow, SqlValue, Transaction } from "../database.ts";
import { countPlaceholders } from "../placeholders.ts";
import { assertStorable, toSqlRow } from "../sql-values.ts";
import type { SqliteBinding, SqliteConnection, SqliteStatement } from "./sqlite-driver.ts";
import { toStoreError, type StoreAction, type StorePlace } from "./sqlite-errors.ts";
import { waitForLock } from "./wait-for-lock.ts";

/** A statement compiled once per connection. */
export interface CompiledStatement {
  readonly statement: SqliteStatement;
  readonly placeholderCount: number;
}

// Texts are literals in the program, a few dozen. The limit is for lists of placeholders that vary in length.
const STATEMENT_CACHE_LIMIT = 256;

/** Compiles each text once, on first use. */
export function createStatementCache(connection: SqliteConnection): (sql: string) => CompiledStatement {
  const compiled = new Map<string, CompiledStatement>();
  return (sql) => {
    const known = compiled.get(sql);
    if (known) return known;
    if (compiled.size >= STATEMENT_CACHE_LIMIT) compiled.clear();
    const fresh = { statement: connection.prepare(sql), placeholderCount: countOnce(sql) };
    compiled.set(sql, fresh);
    return fresh;
  };
}

/** Of every connection: a view over all projects compiles the same texts hundreds of times. */
const placeholderCounts = new Map<string, number>();

function countOnce(sql: string): number {
  const known = placeholderCounts.get(sql);
  if (known !== undefined) return known;
  if (placeholderCounts.size >= STATEMENT_CACHE_LIMIT) placeholderCounts.clear();
  const count = countPlaceholders(sql);
  placeholderCounts.set(sql, count);
  return count;
}

export interface TransactionSettings {
  readonly action: StoreAction;
  readonly place: StorePlace;
  readonly busyTimeoutMs: number;
  readonly compile: (sql: string) => CompiledStatement;
}

/**
 * The statements of one transaction, until it ends.
 *
 * A failed statement spoils the whole transaction, as in PostgreSQL: SQLite rolls back by itself after some failures (a full
 * disk), and a statement after that would be outside of any transaction.
 */
export class SqliteTransaction implements Transaction {
  readonly #settings: TransactionSettings;
  #hasEnded = false;
  #failure: LoopxError | undefined;

  constructor(settings: TransactionSettings) {
    this.#settings = settings;
  }

  async all<Row extends object = SqlRow>(sql: string, ...parameters: readonly SqlValue[]): Promise<readonly Row[]> {
    const { label } = this.#settings.place;
    const rows: readonly object[] = await this.#execute(sql, parameters, (statement, bindings) =>
      statement.all(bindings).map((raw) => toSqlRow(raw, label)),
    );
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller says what its own statement returns
    return rows as readonly Row[];
  }

  async get<Row extends object = SqlRow>(sql: string, ...parameters: readonly SqlValue[]): Promise<Row | undefined> {
    const { label } = this.#settings.place;
    const row: object | undefined = await this.#execute(sql, parameters, (statement, bindings) => {
      const raw = statement.get(bindings);
      return raw && toSqlRow(raw, label);
    });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
    return row as Row | undefined;
  }

  async run(sql: string, ...parameters: readonly SqlValue[]): Promise<number> {
    if (this.#settings.action !== "write") {
      throw new LoopxError("internal", { message: "a statement that writes was given to read" });
    }
    return this.#execute(sql, parameters, (statement, bindings) => statement.run(bindings));
  }

  /** Does the work, then takes no more statements. Throws when a statement failed, even if the work went on. */
  async complete<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    try {
      const result = await work(this);
      if (this.#failure) throw this.#failure;
      return result;
    } finally {
      this.#hasEnded = true;
    }
  }

  async #execute<Result>(sql: string, parameters: readonly SqlValue[], step: StatementStep<Result>): Promise<Result> {
    const { action, busyTimeoutMs, compile, place } = this.#settings;
    try {
      return await waitForLock(() => {
        this.#assertUsable();
        const { statement, placeholderCount } = compile(sql);
        assertStorable(parameters, placeholderCount);
        return step(statement, parameters.map(toBinding));
      }, busyTimeoutMs);
    } catch (error) {
      this.#failure ??= toStoreError(error, place, action);
      throw this.#failure;
    }
  }

  #assertUsable(): void {
    if (this.#failure) throw this.#failure;
    if (this.#hasEnded)
      throw new LoopxError("internal", { message: "a statement came after its transaction had ended" });
  }
}

type StatementStep<Result> = (statement: SqliteStatement, bindings: readonly SqliteBinding[]) => Result;

function toBinding(value: SqlValue): SqliteBinding {
  return typeof value === "number" && Number.isInteger(value) ? BigInt(value) : value;
}
