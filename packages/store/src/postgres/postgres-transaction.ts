import { LoopxError } from "@loopx/contracts";
import type { SqlRow, SqlValue, Transaction } from "../database.ts";
import { countPlaceholders, numberPlaceholders } from "../placeholders.ts";
import { assertStorable, toSqlRow } from "../sql-values.ts";
import type { PostgresAnswer, PostgresConnection } from "./postgres-connection.ts";
import { toPostgresError } from "./postgres-errors.ts";

interface TransactionSettings {
  readonly action: "read" | "write";
  readonly label: string;
  readonly connection: PostgresConnection;
}

/** The statements of one transaction, until it ends. The server spoils it with the first that fails, and so does this. */
export class PostgresTransaction implements Transaction {
  readonly #settings: TransactionSettings;
  #hasEnded = false;
  #failure: LoopxError | undefined;

  constructor(settings: TransactionSettings) {
    this.#settings = settings;
  }

  async all<Row extends object = SqlRow>(sql: string, ...parameters: readonly SqlValue[]): Promise<readonly Row[]> {
    const { rows } = await this.#execute(sql, parameters);
    const kept: readonly object[] = rows.map((raw) => this.#keep(raw));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller says what its own statement returns
    return kept as readonly Row[];
  }

  async get<Row extends object = SqlRow>(sql: string, ...parameters: readonly SqlValue[]): Promise<Row | undefined> {
    const [row] = await this.all<Row>(sql, ...parameters);
    return row;
  }

  async run(sql: string, ...parameters: readonly SqlValue[]): Promise<number> {
    if (this.#settings.action !== "write") {
      throw new LoopxError("internal", { message: "a statement that writes was given to read" });
    }
    return (await this.#execute(sql, parameters)).changedCount;
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

  async #execute(sql: string, parameters: readonly SqlValue[]): Promise<PostgresAnswer> {
    const { action, connection, label } = this.#settings;
    try {
      this.#assertUsable();
      const { text, count } = toNumbered(sql);
      assertStorable(parameters, count);
      return await connection.query(text, parameters.map(toParameter));
    } catch (error) {
      this.#failure ??= toPostgresError(error, label, action);
      throw this.#failure;
    }
  }

  #keep(raw: Readonly<Record<string, unknown>>): SqlRow {
    try {
      return toSqlRow(raw, this.#settings.label);
    } catch (error) {
      this.#failure ??= toPostgresError(error, this.#settings.label, this.#settings.action);
      throw this.#failure;
    }
  }

  #assertUsable(): void {
    if (this.#failure) throw this.#failure;
    if (this.#hasEnded)
      throw new LoopxError("internal", { message: "a statement came after its transaction had ended" });
  }
}

// Texts are literals in the program, a few dozen. The limit is for lists of placeholders that vary in length.
const NUMBERED_LIMIT = 256;
const numbered = new Map<string, { readonly text: string; readonly count: number }>();

function toNumbered(sql: string): { readonly text: string; readonly count: number } {
  const known = numbered.get(sql);
  if (known !== undefined) return known;
  if (numbered.size >= NUMBERED_LIMIT) numbered.clear();
  const fresh = { text: numberPlaceholders(sql), count: countPlaceholders(sql) };
  numbered.set(sql, fresh);
  return fresh;
}

/** As text: the server takes it for what stands at the parameter's place. */
function toParameter(value: SqlValue): string | null {
  return value === null ? null : String(value);
}
