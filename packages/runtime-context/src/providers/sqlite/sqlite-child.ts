// Entry of the process that touches a provider's database. It is one file, and at run time it imports Node alone: the
// parent starts it with an empty environment, and kills it when a deadline passes, which nothing inside SQLite could do.
import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { accessSync, closeSync, constants, lstatSync, openSync, readSync, type BigIntStats } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import type { ChildDriver, ChildItem, ChildReply, ChildRequest, ChildSetup } from "./child-protocol.ts";

type Parameters = readonly (string | number)[];
type Row = Readonly<Record<string, unknown>>;

interface Connection {
  exec(sql: string): unknown;
  prepare(sql: string): { all(...parameters: Parameters): Row[] };
  close(): void;
}

type OpenConnection = (path: string, isReadOnly: boolean) => Connection;

/** A refusal on its way to the parent. */
class ChildFault extends Error {
  override readonly name = "ChildFault";
  readonly reply: ChildReply;

  constructor(status: Extract<ChildReply, { kind: "fault" }>["status"], reason: string, pointer?: string) {
    super(reason);
    this.reply = { kind: "fault", status, reason, ...(pointer === undefined ? {} : { pointer }) };
  }
}

const HEADER_BYTES = 100;
const MAGIC = "SQLite format 3\0";
/** Read and write version 2 in the header (https://sqlite.org/fileformat.html, 1.3.3). */
const WAL_VERSION = 2;
/** More than a lookup ever needs; a hostile file can't take the machine's memory. */
const HEAP_BYTES = 64 * 1024 * 1024;

const SETTINGS = [
  "PRAGMA query_only = ON",
  "PRAGMA trusted_schema = OFF",
  "PRAGMA cell_size_check = ON",
  "PRAGMA mmap_size = 0",
  "PRAGMA automatic_index = OFF",
  "PRAGMA temp_store = MEMORY",
  "PRAGMA busy_timeout = 100",
  `PRAGMA hard_heap_limit = ${HEAP_BYTES}`,
];

function serve(): void {
  let setup: ChildSetup | undefined;
  let open: OpenConnection | undefined;
  createInterface({ input: process.stdin }).on("line", (line) => {
    const message = JSON.parse(line) as ChildSetup & ChildRequest;
    if (setup === undefined || open === undefined) {
      setup = message;
      open = loadDriver(message.driver);
      send(open === undefined ? fault("NOT_BOUND", "SQLITE_DRIVER_MISSING") : { kind: "ready" });
    } else {
      send(answer(setup, open, message));
    }
  });
}

function send(reply: ChildReply): void {
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}

function fault(...parts: ConstructorParameters<typeof ChildFault>): ChildReply {
  return new ChildFault(...parts).reply;
}

function answer(setup: ChildSetup, open: OpenConnection, request: ChildRequest): ChildReply {
  try {
    return request.op === "settle"
      ? settle(setup, open)
      : withDatabase(setup, open, (database) => read(setup, database, request));
  } catch (error) {
    return error instanceof ChildFault ? error.reply : toEngineFault(error);
  }
}

/**
 * The database, open for one read transaction. Files are looked at before and after: they must be plain files and stay the
 * same ones. A rollback-journal database is opened read-only and its folder stays as it is; a WAL database can't be read
 * without its side files, so it is opened for writing, kept from writing, and closed normally, which removes them.
 */
function withDatabase(setup: ChildSetup, open: OpenConnection, use: (database: Connection) => ChildReply): ChildReply {
  const { database: path } = setup.binding;
  const before = findPlainFile(path);
  const isWal = readHeader(path)[18] === WAL_VERSION;
  if (isWal) refuseUnwritable(path);
  const database = open(path, !isWal);
  try {
    for (const setting of SETTINGS) database.exec(setting);
    database.exec("BEGIN");
    // The transaction begins with the first read.
    database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").all();
    const reply = use(database);
    const after = findPlainFile(path);
    if (after.ino !== before.ino || after.dev !== before.dev) throw new ChildFault("UNAVAILABLE", "DATABASE_REPLACED");
    database.exec("COMMIT");
    return reply;
  } finally {
    database.close();
  }
}

/** Opens and closes a WAL database: the last connection that closes removes what a killed one left. */
function settle(setup: ChildSetup, open: OpenConnection): ChildReply {
  findPlainFile(setup.binding.database);
  if (readHeader(setup.binding.database)[18] !== WAL_VERSION) return { kind: "done" };
  return withDatabase(setup, open, () => ({ kind: "done" }));
}

function findPlainFile(path: string): BigIntStats {
  let stats: BigIntStats;
  try {
    stats = lstatSync(path, { bigint: true });
  } catch {
    throw new ChildFault("UNAVAILABLE", "DATABASE_MISSING");
  }
  if (!stats.isFile()) throw new ChildFault("UNAVAILABLE", "NOT_A_REGULAR_FILE");
  return stats;
}

/** Read before SQLite opens the file: closing any descriptor of it later would drop SQLite's locks (POSIX). */
function readHeader(path: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  let length = 0;
  try {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    length = readSync(descriptor, header);
    closeSync(descriptor);
  } catch {
    throw new ChildFault("UNAVAILABLE", "DATABASE_UNREADABLE");
  }
  if (length < HEADER_BYTES || header.toString("latin1", 0, 16) !== MAGIC)
    throw new ChildFault("UNAVAILABLE", "NOT_A_DATABASE");
  return header;
}

function refuseUnwritable(path: string): void {
  try {
    accessSync(dirname(path), constants.W_OK);
    accessSync(path, constants.W_OK);
  } catch {
    throw new ChildFault("UNAVAILABLE", "WAL_READ_ONLY");
  }
}

function read(setup: ChildSetup, database: Connection, request: ChildRequest): ChildReply {
  refuseSchema(setup, database);
  const statement = toStatement(setup);
  refuseScan(setup, database, statement);
  if (request.op !== "lookup") return { kind: "done" };
  // One more than asked for tells "too many" from "all of them".
  const rows = database.prepare(statement).all(request.value, request.limit + 1);
  if (rows.length > request.limit) throw new ChildFault("LIMIT_EXCEEDED", "ITEMS", "/items");
  const items = rows
    .filter((row) => toBytes(row["k"])?.equals(Buffer.from(request.value)) === true)
    .map((row, index) => toItem(setup, row, `/items/${index}`));
  const bytes = items.reduce((sum, item) => sum + Buffer.byteLength(item.id + item.content + (item.title ?? "")), 0);
  if (bytes > setup.answerBytes) throw new ChildFault("LIMIT_EXCEEDED", "RESPONSE_BYTES", "/items");
  return { kind: "items", items, revision: findRevision(setup.binding.database) };
}

/** Only a plain table with plain columns: views, virtual tables and generated columns run code of whoever made the file. */
function refuseSchema({ binding }: ChildSetup, database: Connection): void {
  const [encoding] = database.prepare("PRAGMA encoding").all();
  if (encoding?.["encoding"] !== "UTF-8") throw new ChildFault("INCOMPATIBLE", "DATABASE_ENCODING");
  const [table] = database
    .prepare("SELECT type FROM pragma_table_list WHERE schema = 'main' AND name = ?")
    .all(binding.table);
  if (table === undefined) throw new ChildFault("INCOMPATIBLE", "TABLE_MISSING");
  if (table["type"] !== "table") throw new ChildFault("INCOMPATIBLE", "NOT_A_TABLE");
  const columns = database.prepare("SELECT name, type, hidden FROM pragma_table_xinfo(?, 'main')").all(binding.table);
  const wanted = [binding.key, ...Object.values(binding.columns).filter((name) => name !== null)];
  for (const name of wanted) {
    const column = columns.find((candidate) => candidate["name"] === name);
    // A name that isn't there would be taken for text in quotes.
    if (column === undefined) throw new ChildFault("INCOMPATIBLE", "COLUMN_MISSING");
    if (Number(column["hidden"]) !== 0) throw new ChildFault("INCOMPATIBLE", "GENERATED_COLUMN");
    if (name === binding.key && !isText(String(column["type"]))) throw new ChildFault("INCOMPATIBLE", "KEY_NOT_TEXT");
  }
}

/** Text affinity by SQLite's own rule: any other would find `01042` under `1042`. */
function isText(declared: string): boolean {
  return !/int/i.test(declared) && /char|clob|text/i.test(declared);
}

/** The only statement there is. Identifiers come from the binding and exist; the value is bound. */
function toStatement({ binding }: ChildSetup): string {
  const key = quote(binding.key);
  const { id, content, title, updatedAt } = binding.columns;
  const columns = [
    `CAST(${key} AS BLOB) AS k`,
    ...toGuarded("id", id, 2048),
    ...toGuarded("content", content, binding.itemBytes),
    ...toGuarded("title", title, 4096),
    ...toGuarded("updatedAt", updatedAt, 64),
  ];
  // BINARY by name: an index of another collation then doesn't serve, and the plan is refused.
  return `SELECT ${columns.join(", ")} FROM main.${quote(binding.table)} WHERE ${key} = ? COLLATE BINARY LIMIT ?`;
}

/** Type and length of a cell, and its bytes only where both are right: a huge cell never leaves SQLite. */
function toGuarded(name: string, column: string | null, maxBytes: number): readonly string[] {
  if (column === null) return [`'null' AS ${name}Type`, `NULL AS ${name}`];
  const cell = quote(column);
  const bytes = `CAST(${name === "id" ? `CAST(${cell} AS TEXT)` : cell} AS BLOB)`;
  const isRead = `typeof(${cell}) IN ('text'${name === "id" ? ", 'integer'" : ""}) AND length(${bytes}) <= ${maxBytes}`;
  return [`typeof(${cell}) AS ${name}Type`, `CASE WHEN ${isRead} THEN ${bytes} END AS ${name}`];
}

function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** A lookup must cost the same however many rows there are, so its plan is one search that begins with the key. */
function refuseScan({ binding }: ChildSetup, database: Connection, statement: string): void {
  const plan = database.prepare(`EXPLAIN QUERY PLAN ${statement}`).all("", 1);
  const detail = String(plan[0]?.["detail"]);
  const isSearch = plan.length === 1 && detail.startsWith("SEARCH ") && detail.includes(`(${binding.key}=?`);
  if (!isSearch) throw new ChildFault("INCOMPATIBLE", "KEY_NOT_INDEXED");
}

function toItem({ binding }: ChildSetup, row: Row, pointer: string): ChildItem {
  const toCell = (name: keyof ChildItem): string | null =>
    binding.columns[name] === null ? null : toText(row, name, pointer);
  const id = toCell("id");
  const content = toCell("content");
  if (id === null || content === null) throw new ChildFault("INVALID_RESPONSE", "MISSING_FIELD", pointer);
  return { id, content, title: toCell("title"), updatedAt: toCell("updatedAt") };
}

function toText(row: Row, name: keyof ChildItem, pointer: string): string | null {
  const at = `${pointer}/${name}`;
  const type = row[`${name}Type`];
  if (type === "null") return null;
  if (type !== "text" && !(name === "id" && type === "integer"))
    throw new ChildFault("INVALID_RESPONSE", "CELL_TYPE", at);
  const bytes = toBytes(row[name]);
  if (bytes === undefined) throw new ChildFault("LIMIT_EXCEEDED", "ITEM_BYTES", at);
  if (!isUtf8(bytes)) throw new ChildFault("INVALID_RESPONSE", "UTF8", at);
  if (bytes.includes(0)) throw new ChildFault("INVALID_RESPONSE", "UNICODE", at);
  return bytes.toString("utf8");
}

/** A BLOB as each driver gives it; an empty one is null in neither. */
function toBytes(value: unknown): Buffer | undefined {
  return value instanceof Uint8Array ? Buffer.from(value) : undefined;
}

/** Changes with every committed write and with the file itself. While the read transaction is open no rollback writer commits. */
function findRevision(path: string): string {
  const { dev, ino, size, mtimeNs } = findPlainFile(path);
  const parts = [dev, ino, size, mtimeNs, ...listWalState(path)];
  return `sqlite-${createHash("sha256").update(parts.join(" ")).digest("hex").slice(0, 16)}`;
}

function listWalState(path: string): readonly bigint[] {
  const stats = lstatSync(`${path}-wal`, { bigint: true, throwIfNoEntry: false });
  // An empty one is made by reading.
  return stats === undefined || stats.size === 0n ? [] : [stats.size, stats.mtimeNs];
}

function loadDriver(driver: ChildDriver): OpenConnection | undefined {
  if (driver.name === "node:sqlite") return loadNodeSqlite();
  const require = createRequire(import.meta.filename);
  try {
    const Sqlite: new (path: string, options: object) => Connection = require(driver.entry);
    const nativeBinding: object = require(driver.addon);
    return (path, readonly) => new Sqlite(path, { readonly, fileMustExist: true, timeout: 100, nativeBinding });
  } catch {
    return undefined;
  }
}

function loadNodeSqlite(): OpenConnection | undefined {
  const sqlite = process.getBuiltinModule("node:sqlite") as
    | { readonly DatabaseSync: new (path: string, options: object) => Connection }
    | undefined;
  return sqlite && ((path, readOnly) => new sqlite.DatabaseSync(path, { readOnly, allowExtension: false }));
}

const ENGINE_REASONS: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_(?:BUSY|LOCKED)/, "BUSY"],
  [/^SQLITE_(?:READONLY|CANTOPEN)/, "NEEDS_RECOVERY"],
  [/^SQLITE_NOTADB/, "NOT_A_DATABASE"],
  [/^SQLITE_CORRUPT/, "CORRUPT"],
  [/^SQLITE_NOMEM/, "OUT_OF_MEMORY"],
];
const PRIMARY_CODES: Readonly<Record<number, string>> = {
  5: "SQLITE_BUSY",
  6: "SQLITE_LOCKED",
  7: "SQLITE_NOMEM",
  8: "SQLITE_READONLY",
  11: "SQLITE_CORRUPT",
  14: "SQLITE_CANTOPEN",
  26: "SQLITE_NOTADB",
};

/** Only the code: an engine's message quotes names out of the file. */
function toEngineFault(error: unknown): ChildReply {
  const { errcode, code } = error as { readonly errcode?: unknown; readonly code?: unknown };
  const name = typeof errcode === "number" ? PRIMARY_CODES[errcode & 0xff] : code;
  const reason = ENGINE_REASONS.find(([pattern]) => typeof name === "string" && pattern.test(name))?.[1];
  return fault("UNAVAILABLE", reason ?? "DATABASE_FAILED");
}

serve();
