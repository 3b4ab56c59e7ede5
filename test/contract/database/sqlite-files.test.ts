import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { loadSqliteDriver, removeEntry, verifyIntegrity, type Database, type SqliteDriverName } from "@loopx/store";
import { describe, expect, test } from "vitest";
import { createTemporaryDirectory, isDriverMissing, openItemStore, SQLITE_DRIVERS } from "./temporary-store.ts";

describe.each(SQLITE_DRIVERS)("files of a store, %s", (driver) => {
  describe.skipIf(isDriverMissing(driver))("with this driver", () => {
    describePlaces(driver);
    describeDamage(driver);
    describeFullDisk(driver);
  });
});

function describePlaces(driver: SqliteDriverName): void {
  test.each(["two words", "a#b", "what?mode=memory", "100%25", `it's "quoted"`, "项目", "🚀", "file:x", "a&b;c$d`e"])(
    "a store works in a directory called %s",
    async (name) => {
      const directory = join(createTemporaryDirectory(), name);
      mkdirSync(directory);
      const database = await openItemStore(join(directory, "state.db"), { driver });
      await addItem(database, "kept");
      await database.backupTo(join(directory, "copy.db"));
      await database.close();
      expect(readdirSync(directory).toSorted()).toEqual(["copy.db", "state.db"]);
      const copy = await openItemStore(join(directory, "copy.db"), { driver, access: "read" });
      expect(await countItems(copy)).toBe(1);
    },
  );

  test("a symbolic link to the directory leads to the same store", async () => {
    const directory = createTemporaryDirectory();
    mkdirSync(join(directory, "real"));
    symlinkSync(join(directory, "real"), join(directory, "link"));
    const throughLink = await openItemStore(join(directory, "link", "state.db"), { driver });
    const direct = await openItemStore(join(directory, "real", "state.db"), { driver });
    await Promise.all([addItem(throughLink, "a"), addItem(direct, "b")]);
    expect(await countItems(direct)).toBe(2);
    expect(readdirSync(join(directory, "real"))).toEqual(["state.db"]);
  });

  test("a created store is for its user only, and so is its journal", async () => {
    const directory = createTemporaryDirectory();
    const path = join(directory, "state.db");
    const database = await openItemStore(path, { driver });
    await database.write(async (tx) => {
      await tx.run("INSERT INTO item (title) VALUES ('open')");
      expect(statSync(`${path}-journal`).mode & 0o777).toBe(0o600);
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(directory)).toEqual(["state.db"]);
  });

  test("a missing store is not created unless asked, nor by a reader", async () => {
    const directory = createTemporaryDirectory();
    const path = join(directory, "state.db");
    const missing = { code: "store_missing", message: ".loopx/state.db does not exist" };
    await expect(openItemStore(path, { driver, create: false })).rejects.toMatchObject(missing);
    await expect(openItemStore(path, { driver, access: "read" })).rejects.toMatchObject(missing);
    expect(readdirSync(directory)).toEqual([]);
  });

  test("a store is not created in a directory that is missing", async () => {
    const path = join(createTemporaryDirectory(), "nowhere", "state.db");
    await expect(openItemStore(path, { driver })).rejects.toMatchObject({ code: "file_not_writable" });
  });

  test("a store is not created beside the journal of one that is gone", async () => {
    const directory = createTemporaryDirectory();
    writeFileSync(join(directory, "state.db-journal"), "left over");
    const opening = openItemStore(join(directory, "state.db"), { driver });
    await expect(opening).rejects.toMatchObject({
      code: "store_corrupt",
      message: expect.stringContaining("-journal"),
    });
    expect(readdirSync(directory)).toEqual(["state.db-journal"]);
  });

  test.each(["-journal", "-wal", "-shm"])(
    "a store is not opened beside a %s that is a link, or no file",
    async (suffix) => {
      const directory = createTemporaryDirectory();
      const path = join(directory, "state.db");
      const outside = join(createTemporaryDirectory(), "outside");
      await addItem(await openItemStore(path, { driver }), "kept");
      const openings = [{ access: "read" }, { access: "write" }] as const;
      const refused = { code: "store_failed", hint: expect.stringContaining(`state.db${suffix}`) };
      const put = {
        link: () => symlinkSync(outside, path + suffix),
        folder: () => mkdirSync(path + suffix),
        pipe: () => execFileSync("mkfifo", [path + suffix]),
      };
      for (const each of Object.values(put)) {
        each();
        for (const opening of openings) {
          await expect(openItemStore(path, { driver, ...opening })).rejects.toMatchObject(refused);
        }
        removeEntry(path + suffix);
        expect(existsSync(outside)).toBe(false);
      }
      expect(await countItems(await openItemStore(path, { driver }))).toBe(1);
      symlinkSync(outside, `${join(directory, "other.db")}${suffix}`);
      await expect(openItemStore(join(directory, "other.db"), { driver })).rejects.toMatchObject({
        code: "store_failed",
      });
    },
  );

  test("a commit is synced with its directory, references are checked, temporary tables stay in memory", async () => {
    const database = await openItemStore(join(createTemporaryDirectory(), "state.db"), { driver });
    const settings = await database.read(async (tx) => [
      await tx.get("PRAGMA synchronous"),
      await tx.get("PRAGMA foreign_keys"),
      await tx.get("PRAGMA temp_store"),
      await tx.get("PRAGMA journal_mode"),
    ]);
    expect(settings).toEqual([{ synchronous: 3 }, { foreign_keys: 1 }, { temp_store: 2 }, { journal_mode: "delete" }]);
  });

  test("a commit that readers keep waiting past the limit is store_busy and leaves nothing", async () => {
    const path = join(createTemporaryDirectory(), "state.db");
    const reader = await openItemStore(path, { driver });
    const writer = await openItemStore(path, { driver, busyTimeoutMs: 30 });
    await reader.read(async (tx) => {
      await tx.all("SELECT id FROM item");
      await expect(addItem(writer, "late")).rejects.toMatchObject({ code: "store_busy" });
    });
    expect(await countItems(reader)).toBe(0);
    await addItem(writer, "in time");
    expect(await countItems(reader)).toBe(1);
  });

  test("a reader refuses writes and leaves the directory as it was", async () => {
    const directory = createTemporaryDirectory();
    const path = join(directory, "state.db");
    await (await openItemStore(path, { driver })).close();
    const before = readFileSync(path);
    const reader = await openItemStore(path, { driver, access: "read" });
    expect(reader.isWritable).toBe(false);
    expect(await countItems(reader)).toBe(0);
    await expect(addItem(reader, "no")).rejects.toMatchObject({ code: "store_read_only" });
    await reader.close();
    expect(readdirSync(directory)).toEqual(["state.db"]);
    expect(readFileSync(path).equals(before)).toBe(true);
  });
}

function describeDamage(driver: SqliteDriverName): void {
  const CONFLICT = '{"goal": 1}\n<<<<<<< HEAD\n{"a": 1}\n=======\n{"a": 2}\n>>>>>>> other\n';

  test.each([
    { what: "an empty file", content: "" },
    { what: "garbage", content: "not a database, but long enough to have a header. ".repeat(200) },
    { what: "a few bytes", content: "SQLite" },
    { what: "the first half of a header", content: "SQLite format 3\0" },
    { what: "text with conflict markers", content: CONFLICT },
  ])("$what is refused as damaged and left as it is", async ({ content }) => {
    const directory = createTemporaryDirectory();
    const path = join(directory, "state.db");
    writeFileSync(path, content);
    for (const access of ["read", "write"] as const) {
      const opening = openItemStore(path, { driver, access });
      await expect(opening).rejects.toMatchObject({ code: "store_corrupt", hint: expect.stringMatching(/\S/) });
    }
    expect(readFileSync(path, "utf8")).toBe(content);
    expect(readdirSync(directory)).toEqual(["state.db"]);
  });

  test("an empty file is told apart from one that is damaged", async () => {
    const path = join(createTemporaryDirectory(), "state.db");
    writeFileSync(path, "");
    const message = ".loopx/state.db is empty: its content is lost; nothing was changed";
    await expect(openItemStore(path, { driver })).rejects.toMatchObject({ message });
  });

  test("conflict markers are named with their line", async () => {
    const path = join(createTemporaryDirectory(), "state.db");
    writeFileSync(path, CONFLICT);
    await expect(openItemStore(path, { driver })).rejects.toMatchObject({
      message: ".loopx/state.db holds a git conflict marker in line 2; it was left as it is",
    });
  });

  test("a truncated store is refused and left as it is", async () => {
    const path = join(createTemporaryDirectory(), "state.db");
    await (await openItemStore(path, { driver })).close();
    truncateSync(path, 4096 + 100);
    const before = readFileSync(path);
    await expect(openItemStore(path, { driver })).rejects.toMatchObject({ code: "store_corrupt" });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("pages overwritten behind those that opening reads are found by the integrity check", async () => {
    const path = join(createTemporaryDirectory(), "state.db");
    const database = await openItemStore(path, { driver });
    expect(await verifyIntegrity(database)).toEqual([]);
    expect(await verifyIntegrity(database, "full")).toEqual([]);
    await database.close();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xaa, 2 * 4096));
    const damaged = await openItemStore(path, { driver });
    expect((await verifyIntegrity(damaged)).length).toBeGreaterThan(0);
  });

  test("a broken reference is found by the integrity check", async () => {
    const path = join(createTemporaryDirectory(), "state.db");
    await (await openItemStore(path, { driver })).close();
    const careless = loadSqliteDriver(driver).open(path, { readonly: false });
    careless.exec("PRAGMA foreign_keys = OFF; INSERT INTO note (id, item_id) VALUES (5, 404);");
    careless.close();
    const database = await openItemStore(path, { driver });
    expect(await verifyIntegrity(database)).toEqual(["row 5 of note refers to a missing row of item"]);
  });

  test("a directory in the store's place is refused", async () => {
    const directory = createTemporaryDirectory();
    mkdirSync(join(directory, "state.db"));
    await expect(openItemStore(join(directory, "state.db"), { driver })).rejects.toMatchObject({
      code: "store_corrupt",
    });
  });

  test.each([
    { what: "a blob", sql: "UPDATE item SET title = x'00ff'" },
    { what: "an integer that JavaScript cannot hold", sql: "UPDATE item SET rank = 9007199254740993" },
  ])("a row with $what is refused as damaged", async ({ sql }) => {
    const database = await openItemStore(join(createTemporaryDirectory(), "state.db"), { driver });
    await addItem(database, "sound");
    await database.write((tx) => tx.run(sql));
    const read = database.read((tx) => tx.all("SELECT title, rank FROM item"));
    await expect(read).rejects.toMatchObject({ code: "store_corrupt" });
  });

  test("no message names the directory", async () => {
    const directory = createTemporaryDirectory();
    writeFileSync(join(directory, "state.db"), "garbage ".repeat(200));
    for (const path of [join(directory, "state.db"), join(directory, "none", "state.db"), directory]) {
      const failure = await openItemStore(path, { driver }).catch((error: Error) => error);
      expect(failure).toMatchObject({ message: expect.stringContaining(".loopx/state.db") });
      expect(JSON.stringify(failure)).not.toContain("loopx-store-");
      expect("message" in failure && failure.message).not.toContain("loopx-store-");
    }
  });
}

function describeFullDisk(driver: SqliteDriverName): void {
  test("a full disk refuses the write, keeps what was there and takes the next one", async () => {
    const database = await openItemStore(join(createTemporaryDirectory(), "state.db"), { driver });
    await addItem(database, "before");
    const write = database.write(async (tx) => {
      await tx.run("UPDATE item SET title = 'half'");
      const row = await tx.get<{ readonly page_count: number }>("PRAGMA page_count");
      await tx.get(`PRAGMA max_page_count = ${row?.page_count}`);
      await tx.run("INSERT INTO item (title) VALUES (?)", "big ".repeat(100_000)).catch(() => undefined);
      await tx.run("INSERT INTO item (title) VALUES ('outside of any transaction')").catch(() => undefined);
    });
    await expect(write).rejects.toMatchObject({ code: "store_full" });
    expect(await database.read((tx) => tx.all("SELECT title FROM item"))).toEqual([{ title: "before" }]);
    await database.read((tx) => tx.get("PRAGMA max_page_count = 1000000"));
    await addItem(database, "after");
    expect(await countItems(database)).toBe(2);
    expect(await verifyIntegrity(database, "full")).toEqual([]);
  });
}

async function addItem(database: Database, title: string): Promise<void> {
  await database.write((tx) => tx.run("INSERT INTO item (title) VALUES (?)", title));
}

async function countItems(database: Database): Promise<unknown> {
  const row = await database.read((tx) => tx.get<{ readonly count: number }>("SELECT count(*) AS count FROM item"));
  return row?.count;
}
