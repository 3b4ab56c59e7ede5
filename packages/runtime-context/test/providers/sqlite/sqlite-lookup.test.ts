import { chmodSync, copyFileSync, linkSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { execFileSync, spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { LOOKUP, TURN } from "../provider-cases.ts";
import { CREDENTIALS } from "../answer/credential-samples.ts";
import {
  createDatabase,
  createTemporaryDirectory,
  describeDirectory,
  bundleChild,
  openClient,
  SUPPORT_DESK,
} from "./sqlite-cases.ts";
import { openForWriting } from "./open-for-writing.ts";

let child = "";
let childDirectory = "";

beforeAll(() => {
  childDirectory = mkdtempSync(join(tmpdir(), "loopx-sqlite-child-"));
  chmodSync(childDirectory, 0o755);
  child = bundleChild(childDirectory);
});

afterAll(() => rmSync(childDirectory, { recursive: true, force: true }));

describe("a lookup in a rollback-journal database", () => {
  test("answers the record of the key, CURRENT, and leaves the folder byte for byte as it was", async () => {
    const database = createDatabase(SUPPORT_DESK);
    const before = describeDirectory(dirname(database));
    const client = openClient(child, { database });
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({
      status: "OK",
      reason: null,
      items: [
        {
          id: "CUST-1042/a",
          title: "Account",
          content: "Renewal is due in March.",
          metadata: {},
          updatedAt: "2026-10-08",
        },
      ],
      currentness: "CURRENT",
      revision: expect.stringMatching(/^sqlite-[0-9a-f]{16}$/),
      version: null,
      versionSource: null,
      providerType: "sqlite",
      observedAt: "2026-10-09T12:00:00.000Z",
      attempts: 1,
    });
    expect(await client.lookup({ ...LOOKUP, value: "CUST-9999" }, TURN)).toMatchObject({
      status: "NOT_FOUND",
      items: [],
    });
    expect(await client.describe()).toMatchObject({ isReady: true, status: "OK" });
    await client.close();
    expect(describeDirectory(dirname(database))).toEqual(before);
  });

  test("works in a folder and on a file that nobody may write", async () => {
    const database = createDatabase(SUPPORT_DESK);
    chmodSync(database, 0o444);
    chmodSync(dirname(database), 0o555);
    const runAs = { uid: 65_534, gid: 65_534 };
    const parts = process.getuid?.() === 0 ? { runAs } : {};
    expect(await openClient(child, { database }, parts).lookup(LOOKUP, TURN)).toMatchObject({ status: "OK" });
    chmodSync(dirname(database), 0o755);
  });

  test("optional columns may be left out, and an integer may be an id", async () => {
    const database = createDatabase(
      "CREATE TABLE notes (nr INTEGER PRIMARY KEY, who TEXT UNIQUE, note TEXT); INSERT INTO notes VALUES (9007199254740993, 'CUST-1042', 'x')",
    );
    const columns = { id: "nr", content: "note", title: null, updatedAt: null };
    const outcome = await openClient(child, { database, table: "notes", key: "who", columns }).lookup(LOOKUP, TURN);
    expect(outcome.items).toEqual([
      { id: "9007199254740993", title: null, content: "x", metadata: {}, updatedAt: null },
    ]);
  });

  test("the revision changes with a write and with another file, and with nothing else", async () => {
    const database = createDatabase(SUPPORT_DESK);
    const client = openClient(child, { database });
    const findRevision = async (): Promise<string | null> => (await client.lookup(LOOKUP, TURN)).revision;
    const first = await findRevision();
    expect(await findRevision()).toBe(first);
    const writer = openForWriting(database);
    writer.exec("UPDATE customers SET content = 'Changed.' WHERE id = 'CUST-2000/a'");
    writer.close();
    const second = await findRevision();
    expect(second).not.toBe(first);
    const other = createDatabase(SUPPORT_DESK.replace("March", "April"), "other.db", dirname(database));
    renameSync(other, database);
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ items: [{ content: "Renewal is due in April." }] });
    expect(await findRevision()).not.toBe(second);
  });

  test.each([
    ["' OR 1=1 --"],
    ["CUST-1042' UNION SELECT 1 --"],
    ["cust-1042"],
    ["CUST-1042 "],
    ["CUST_1042"],
    ["CUST-%"],
  ])("%j finds nothing: the value is bound and compared exactly (Q1, Q4)", async (value) => {
    const database = createDatabase(SUPPORT_DESK);
    expect(await openClient(child, { database }).lookup({ ...LOOKUP, value }, TURN)).toMatchObject({
      status: "NOT_FOUND",
    });
  });

  test("identifiers with quotes and spaces are names, not SQL (Q1)", async () => {
    const database = createDatabase(
      `CREATE TABLE "a ""b; --" (id TEXT, "k"" ey" TEXT UNIQUE, content TEXT); INSERT INTO "a ""b; --" VALUES ('1', 'CUST-1042', 'x')`,
    );
    const columns = { id: "id", content: "content", title: null, updatedAt: null };
    const client = openClient(child, { database, table: 'a "b; --', key: 'k" ey', columns });
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "OK", items: [{ content: "x" }] });
  });
});

const table = (columns: string): string => `CREATE TABLE customers (${columns})`;

describe("a schema that is refused (Q3, Q4)", () => {
  test.each([
    ["no such table", "CREATE TABLE other (a)", "TABLE_MISSING"],
    [
      "a table whose name differs in case",
      "CREATE TABLE Customers (id, content, title, updated, customer TEXT UNIQUE)",
      "TABLE_MISSING",
    ],
    [
      "a view",
      "CREATE TABLE t (id, content, title, updated, customer TEXT UNIQUE); CREATE VIEW customers AS SELECT * FROM t",
      "NOT_A_TABLE",
    ],
    [
      "a view that never ends",
      "CREATE VIEW customers AS WITH RECURSIVE r(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM r) SELECT id, id AS content, id AS title, id AS updated, id AS customer FROM r",
      "NOT_A_TABLE",
    ],
    [
      "a virtual table",
      "CREATE VIRTUAL TABLE customers USING fts5 (id, content, title, updated, customer)",
      "NOT_A_TABLE",
    ],
    ["a missing column", table("id, content, title, customer TEXT UNIQUE"), "COLUMN_MISSING"],
    [
      "a generated column",
      table("id, content TEXT AS (id || 'x'), title, updated, customer TEXT UNIQUE"),
      "GENERATED_COLUMN",
    ],
    [
      "a stored generated column",
      table("id, content TEXT AS (id || 'x') STORED, title, updated, customer TEXT UNIQUE"),
      "GENERATED_COLUMN",
    ],
    ["an integer key", table("id, content, title, updated, customer INTEGER PRIMARY KEY"), "KEY_NOT_TEXT"],
    ["a key without a type", table("id, content, title, updated, customer UNIQUE"), "KEY_NOT_TEXT"],
    ["a key of numeric affinity", table("id, content, title, updated, customer NUMERIC UNIQUE"), "KEY_NOT_TEXT"],
    ["a key that is not indexed", table("id, content, title, updated, customer TEXT"), "KEY_NOT_INDEXED"],
    [
      "a key that ignores case",
      table("id, content, title, updated, customer TEXT COLLATE NOCASE UNIQUE"),
      "KEY_NOT_INDEXED",
    ],
    [
      "a key that is second in its index",
      table("id, content, title, updated, customer TEXT, PRIMARY KEY (id, customer)"),
      "KEY_NOT_INDEXED",
    ],
    [
      "a partial index",
      `${table("id, content, title, updated, customer TEXT")}; CREATE INDEX i ON customers (customer) WHERE id > 5`,
      "KEY_NOT_INDEXED",
    ],
    [
      "text in UTF-16",
      `PRAGMA encoding = 'UTF-16'; ${table("id, content, title, updated, customer TEXT UNIQUE")}`,
      "DATABASE_ENCODING",
    ],
  ])("%s is INCOMPATIBLE for lookup and describe", async (_name, sql, reason) => {
    const client = openClient(child, { database: createDatabase(sql) });
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "INCOMPATIBLE", reason, items: [] });
    expect(await client.describe()).toMatchObject({ isReady: false, status: "INCOMPATIBLE", reason });
  });
});

const insert = (id: string, content: string, updated = "NULL"): string =>
  `${SUPPORT_DESK}; DELETE FROM customers; INSERT INTO customers VALUES (${id}, 'CUST-1042', NULL, ${content}, ${updated})`;

describe("cells (Q5, Q6)", () => {
  test.each([
    ["a BLOB", insert("'a'", "x'6162'"), "INVALID_RESPONSE", "CELL_TYPE", "/items/0/content"],
    ["text that is no UTF-8", insert("'a'", "CAST(x'ff' AS TEXT)"), "INVALID_RESPONSE", "UTF8", "/items/0/content"],
    ["text with NUL", insert("'a'", "CAST(x'610062' AS TEXT)"), "INVALID_RESPONSE", "UNICODE", "/items/0/content"],
    [
      "content over its bytes",
      insert("'a'", "CAST(zeroblob(4097) AS TEXT)"),
      "LIMIT_EXCEEDED",
      "ITEM_BYTES",
      "/items/0/content",
    ],
    [
      "a giant cell",
      insert("'a'", "printf('%.*c', 30000000, 'x')"),
      "LIMIT_EXCEEDED",
      "ITEM_BYTES",
      "/items/0/content",
    ],
    ["an id that is a BLOB", insert("x'61'", "'x'"), "INVALID_RESPONSE", "CELL_TYPE", "/items/0/id"],
    ["an empty id", insert("''", "'x'"), "INVALID_RESPONSE", "FIELD_LENGTH", "/items/0/id"],
    [
      "a time that is no RFC 3339",
      insert("'a'", "'x'", "CURRENT_TIMESTAMP"),
      "INVALID_RESPONSE",
      "UPDATED_AT",
      "/items/0/updatedAt",
    ],
  ])("%s is refused", async (_name, sql, ...[status, reason, pointer]) => {
    const outcome = await openClient(child, { database: createDatabase(sql) }).lookup(LOOKUP, TURN);
    expect(outcome).toMatchObject({ status, reason, items: [], finding: { pointer, rule: null } });
  });

  test("more rows than the limit are LIMIT_EXCEEDED, never cut", async () => {
    const rows = [1, 2, 3].map((nr) => `('${nr}', 'CUST-1042', NULL, 'x', NULL)`).join();
    const database = createDatabase(`${SUPPORT_DESK}; DELETE FROM customers; INSERT INTO customers VALUES ${rows}`);
    const client = openClient(child, { database });
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "LIMIT_EXCEEDED", reason: "ITEMS" });
  });

  test("a secret in a row is SECRET_DETECTED and not shown", async () => {
    const secret = CREDENTIALS["github_token"] ?? "";
    const outcome = await openClient(child, { database: createDatabase(insert("'a'", `'${secret}'`)) }).lookup(
      LOOKUP,
      TURN,
    );
    expect(outcome).toMatchObject({
      status: "SECRET_DETECTED",
      finding: { rule: "github_token", pointer: "/items/0/content" },
    });
    expect(JSON.stringify(outcome)).not.toContain(secret);
  });

  test("an age limit makes old rows STALE and rows without a time UNKNOWN", async () => {
    const database = createDatabase(SUPPORT_DESK);
    const client = openClient(child, { database, maxAgeSeconds: 60 });
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "OK", currentness: "STALE" });
    expect(await client.lookup({ ...LOOKUP, value: "CUST-2000" }, TURN)).toMatchObject({ currentness: "UNKNOWN" });
  });
});

describe("files (F2, F3, Q7, Q9)", () => {
  test.each([
    ["no file", (path: string) => renameSync(path, `${path}.away`), "DATABASE_MISSING"],
    [
      "a symbolic link",
      (path: string) => {
        renameSync(path, `${path}.real`);
        symlinkSync(`${path}.real`, path);
      },
      "NOT_A_REGULAR_FILE",
    ],
    [
      "a FIFO",
      (path: string) => {
        renameSync(path, `${path}.away`);
        execFileSync("mkfifo", [path]);
      },
      "NOT_A_REGULAR_FILE",
    ],
    [
      "a directory",
      (path: string) => {
        renameSync(path, `${path}.away`);
        execFileSync("mkdir", [path]);
      },
      "NOT_A_REGULAR_FILE",
    ],
    ["an empty file", (path: string) => writeFileSync(path, ""), "NOT_A_DATABASE"],
    ["a text file", (path: string) => writeFileSync(path, "customers\n".repeat(100)), "NOT_A_DATABASE"],
    [
      "garbage behind a good header",
      (path: string) =>
        writeFileSync(path, Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(8176, 0x41)])),
      "NOT_A_DATABASE",
    ],
  ])("%s is UNAVAILABLE", async (_name, spoil, reason) => {
    const database = createDatabase(SUPPORT_DESK);
    spoil(database);
    const outcome = await openClient(child, { database }).lookup(LOOKUP, TURN);
    expect(outcome).toMatchObject({ status: "UNAVAILABLE", reason, items: [] });
    expect(JSON.stringify(outcome)).not.toContain(dirname(database));
  });

  test("pages that are damaged are UNAVAILABLE or cost nothing, and nothing crashes the caller", async () => {
    const database = createDatabase(SUPPORT_DESK);
    const bytes = Buffer.from(execFileSync("cat", [database]));
    bytes.fill(0xff, 4096);
    writeFileSync(database, bytes);
    expect(await openClient(child, { database }).lookup(LOOKUP, TURN)).toMatchObject({
      status: "UNAVAILABLE",
      reason: "CORRUPT",
    });
  });

  test("a second name of the file (hard link) is a plain file like any other", async () => {
    const database = createDatabase(SUPPORT_DESK);
    linkSync(database, `${database}.second`);
    expect(await openClient(child, { database: `${database}.second` }).lookup(LOOKUP, TURN)).toMatchObject({
      status: "OK",
    });
  });

  test("a database that is replaced while it is read is UNAVAILABLE, and every other answer is of one file alone", async () => {
    const directory = createTemporaryDirectory();
    const files = ["first", "second"].map((name) => {
      const path = createDatabase(SUPPORT_DESK, name, directory);
      const writer = openForWriting(path);
      writer.exec(`UPDATE customers SET title = '${name}', content = '${name}'`);
      writer.close();
      return path;
    });
    const database = join(directory, "desk.db");
    // Another file than the first that takes its place: renaming a file to itself does nothing.
    linkSync(files[1] ?? "", database);
    const swap = `
      const { linkSync, renameSync } = require("node:fs");
      const [database, ...files] = process.argv.slice(1);
      for (;;) for (const file of files) { linkSync(file, database + ".new"); renameSync(database + ".new", database); }`;
    const swapper = spawn(process.execPath, ["-e", swap, database, ...files], { stdio: "ignore" });
    onTestFinished(() => void swapper.kill("SIGKILL"));
    const client = openClient(child, { database });
    const seen = new Set<string>();
    for (let count = 0; count < 5000 && !seen.has("DATABASE_REPLACED"); count += 1) {
      const { status, reason, items } = await client.lookup(LOOKUP, TURN);
      seen.add(reason ?? status);
      for (const { title, content } of items) expect(content).toBe(title);
    }
    expect([...seen].filter((word) => word !== "OK")).toEqual(["DATABASE_REPLACED"]);
  });

  test("a database that a writer locks is BUSY, and readable when the lock is gone (Q7)", async () => {
    const database = createDatabase(SUPPORT_DESK);
    const writer = openForWriting(database);
    writer.exec("BEGIN EXCLUSIVE");
    const client = openClient(child, { database });
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "UNAVAILABLE", reason: "BUSY" });
    writer.exec("COMMIT");
    writer.close();
    expect(await client.lookup(LOOKUP, TURN)).toMatchObject({ status: "OK" });
  });

  test("an interrupted write is left to a writer: NEEDS_RECOVERY, and the folder stays as it is", async () => {
    const source = createDatabase(SUPPORT_DESK);
    const directory = createTemporaryDirectory();
    const database = join(directory, "desk.db");
    const writer = openForWriting(source);
    writer.exec("PRAGMA cache_size = 1; BEGIN IMMEDIATE");
    for (let nr = 0; nr < 200; nr += 1) {
      writer.exec(`INSERT INTO customers VALUES ('n${nr}', 'n', NULL, '${"x".repeat(500)}', NULL)`);
    }
    copyFileSync(source, database);
    copyFileSync(`${source}-journal`, `${database}-journal`);
    writer.exec("ROLLBACK");
    writer.close();
    const before = describeDirectory(directory);
    expect(await openClient(child, { database }).lookup(LOOKUP, TURN)).toMatchObject({
      status: "UNAVAILABLE",
      reason: "NEEDS_RECOVERY",
    });
    expect(describeDirectory(directory)).toEqual(before);
  });
});
