import { chmodSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { verifyIntegrity, type Database, type SqliteDriverName } from "@loopx/store";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ClientRequest } from "./fixtures/store-client.ts";
import { raceStoreClients, runStoreClient, startStoreClient } from "./start-store-client.ts";
import { createTemporaryDirectory, isDriverMissing, openItemStore, SQLITE_DRIVERS } from "./temporary-store.ts";

describe.each(SQLITE_DRIVERS)("processes that share a store, %s", (driver) => {
  describe.skipIf(isDriverMissing(driver))("with this driver", () => {
    describeRaces(driver);
    describeKills(driver);
    describeReadOnlyDirectories(driver);
  });
});

function describeRaces(driver: SqliteDriverName): void {
  test("20 processes that create one store at once all end with the same whole store", async () => {
    const directory = createTemporaryDirectory();
    const path = join(directory, "state.db");
    const answers = await raceStoreClients(repeat(20, { action: "create", path, driver }));
    expect(answers).toEqual(Array.from({ length: 20 }, () => "created"));
    expect(readdirSync(directory)).toEqual(["state.db"]);
    const database = await openItemStore(path, { driver, create: false });
    expect(await database.read((tx) => tx.all("SELECT number FROM schema_migrations"))).toEqual([{ number: 1 }]);
    expect(await verifyIntegrity(database, "full")).toEqual([]);
  });

  test("50 processes that each add a row leave 50 rows", async () => {
    const path = await createStore(driver);
    const requests = Array.from({ length: 50 }, (_, index): ClientRequest => ({
      action: "add",
      path,
      driver,
      title: `${index}`,
    }));
    expect(await raceStoreClients(requests)).toEqual(Array.from({ length: 50 }, () => 1));
    const database = await openItemStore(path, { driver });
    expect(
      await database.read((tx) => tx.get("SELECT count(*) AS rows, count(DISTINCT title) AS titles FROM item")),
    ).toEqual({
      rows: 50,
      titles: 50,
    });
  });

  test("12 processes that each read and raise a counter lose none; without one transaction they do", async () => {
    const path = await createStore(driver);
    const database = await openItemStore(path, { driver });
    await database.write((tx) => tx.run("INSERT INTO item (title, rank) VALUES ('counter', 0)"));
    await raceStoreClients(repeat(12, { action: "increment", path, driver }));
    expect(await readCounter(database)).toBe(12);
    await database.write((tx) => tx.run("UPDATE item SET rank = 0"));
    await raceStoreClients(repeat(12, { action: "increment", path, driver, withoutTransaction: true }));
    expect(await readCounter(database)).toBeLessThan(12);
  });

  test("a reader keeps its snapshot while another process writes", async () => {
    const path = await createStore(driver);
    const reader = await openItemStore(path, { driver, access: "read" });
    const writer = await startStoreClient({ action: "add", path, driver, waitsForStart: true });
    await writer.next();
    const counts = await reader.read(async (tx) => {
      const before = await tx.get("SELECT count(*) AS count FROM item");
      writer.start();
      await new Promise((resolve) => {
        setTimeout(resolve, 200);
      });
      return [before, await tx.get("SELECT count(*) AS count FROM item")];
    });
    expect(counts).toEqual([{ count: 0 }, { count: 0 }]);
    expect(await writer.next()).toBe(1);
    expect(await countItems(reader)).toBe(1);
  });

  test("a lock that another process keeps is store_busy after the wait, and at once with a wait of 0", async () => {
    const path = await createStore(driver);
    const holder = await startStoreClient({ action: "hang-in-write", path, driver });
    expect(await holder.next()).toBe("hanging");
    for (const busyTimeoutMs of [0, 50]) {
      await expect(openItemStore(path, { driver, busyTimeoutMs })).rejects.toMatchObject({ code: "store_busy" });
    }
    await holder.kill();
  });
}

function describeKills(driver: SqliteDriverName): void {
  test("a writer killed in the middle of its transaction leaves nothing of it, and the next one works", async () => {
    const path = await createStore(driver);
    expect(await runStoreClient({ action: "add", path, driver, title: "whole" })).toBe(1);
    await leaveHotJournal(path, driver);
    const database = await openItemStore(path, { driver });
    expect(await database.read((tx) => tx.all("SELECT title FROM item"))).toEqual([{ title: "whole" }]);
    expect(await verifyIntegrity(database, "full")).toEqual([]);
    expect(await database.write((tx) => tx.run("INSERT INTO item (title) VALUES ('next')"))).toBe(1);
    expect(existsSync(`${path}-journal`)).toBe(false);
  });

  test("a reader that may write rolls an interrupted write back, also when it was open before", async () => {
    const path = await createStore(driver);
    const early = await openItemStore(path, { driver, access: "read" });
    await leaveHotJournal(path, driver);
    expect(await early.read((tx) => tx.all("SELECT title FROM item"))).toEqual([]);
    expect(existsSync(`${path}-journal`)).toBe(false);
    await leaveHotJournal(path, driver);
    const late = await openItemStore(path, { driver, access: "read" });
    expect(await late.read((tx) => tx.all("SELECT title FROM item"))).toEqual([]);
    expect(late.isWritable).toBe(false);
    await expect(late.write((tx) => tx.run("INSERT INTO item (title) VALUES ('no')"))).rejects.toMatchObject({
      code: "store_read_only",
    });
  });

  test("creators killed at any moment leave no store or a whole one", async () => {
    const directory = createTemporaryDirectory();
    for (const delayMs of [0, 1, 2, 4, 6, 8, 12, 20]) {
      const path = join(directory, `after-${delayMs}.db`);
      const creator = await startStoreClient({ action: "create", path, driver, waitsForStart: true });
      await creator.next();
      creator.start();
      await new Promise((resolve) => {
        setTimeout(resolve, delayMs);
      });
      await creator.kill();
      const survivors = existsSync(path) ? await countIn(path, driver) : "none";
      expect(["none", 0]).toContain(survivors);
      expect(await verifyIntegrity(await openItemStore(path, { driver }))).toEqual([]);
    }
  });
}

function describeReadOnlyDirectories(driver: SqliteDriverName): void {
  test("a store in a read-only directory can be read, and a write is refused", async () => {
    const { directory, path } = await createReadOnlyStore(driver);
    for (const access of ["read", "write"] as const) {
      expect(await runStoreClient({ action: "count", path, driver, access, asNobody: true })).toBe(0);
    }
    const write = await runStoreClient({ action: "add", path, driver, asNobody: true });
    expect(write).toMatchObject({ code: "store_read_only" });
    expect(await runStoreClient({ action: "is-writable", path, driver, asNobody: true })).toBe(false);
    expect(readdirSync(directory)).toEqual(["state.db"]);
  });

  test("a writable store in a read-only directory is read-only too: its journal could not be made", async () => {
    const { path } = await createReadOnlyStore(driver);
    chmodSync(path, 0o666);
    const write = await runStoreClient({ action: "add", path, driver, asNobody: true });
    expect(write).toMatchObject({ code: "store_read_only" });
    expect(await runStoreClient({ action: "is-writable", path, driver, asNobody: true })).toBe(false);
  });

  test("a read-only store in a writable directory is read-only", async () => {
    const { directory, path } = await createReadOnlyStore(driver);
    chmodSync(directory, 0o777);
    const write = await runStoreClient({ action: "add", path, driver, asNobody: true });
    expect(write).toMatchObject({ code: "store_read_only" });
    expect(await runStoreClient({ action: "is-writable", path, driver, asNobody: true })).toBe(false);
  });

  test("an interrupted write in a read-only directory asks for recovery, and a writer mends it", async () => {
    const { directory, path } = await createReadOnlyStore(driver);
    chmodSync(directory, 0o755);
    await leaveHotJournal(path, driver);
    chmodSync(`${path}-journal`, 0o444);
    chmodSync(directory, 0o555);
    for (const access of ["read", "write"] as const) {
      const answer = await runStoreClient({ action: "count", path, driver, access, asNobody: true });
      expect(answer).toMatchObject({ code: "store_needs_recovery" });
    }
    chmodSync(directory, 0o755);
    expect(await countIn(path, driver, "write")).toBe(0);
    chmodSync(directory, 0o555);
    expect(await runStoreClient({ action: "count", path, driver, access: "read", asNobody: true })).toBe(0);
  });

  test("no store is created in a read-only directory", async () => {
    const directory = join(createTemporaryDirectory(), "read-only");
    mkdirSync(directory, { mode: 0o555 });
    onTestFinished(() => chmodSync(directory, 0o755));
    const path = join(directory, "state.db");
    const answer = await runStoreClient({ action: "create", path, driver, asNobody: true });
    expect(answer).toMatchObject({ code: "file_not_writable" });
    expect(readdirSync(directory)).toEqual([]);
  });
}

function repeat(count: number, request: ClientRequest): readonly ClientRequest[] {
  return Array.from({ length: count }, () => request);
}

async function createStore(driver: SqliteDriverName): Promise<string> {
  const path = join(createTemporaryDirectory(), "state.db");
  await (await openItemStore(path, { driver })).close();
  return path;
}

async function createReadOnlyStore(
  driver: SqliteDriverName,
): Promise<{ readonly directory: string; readonly path: string }> {
  const directory = join(createTemporaryDirectory(), "read-only");
  mkdirSync(directory);
  const path = join(directory, "state.db");
  await (await openItemStore(path, { driver })).close();
  chmodSync(path, 0o444);
  chmodSync(directory, 0o555);
  onTestFinished(() => chmodSync(directory, 0o755));
  return { directory, path };
}

async function leaveHotJournal(path: string, driver: SqliteDriverName): Promise<void> {
  const writer = await startStoreClient({ action: "hang-in-write", path, driver });
  expect(await writer.next()).toBe("hanging");
  await writer.kill();
  expect(existsSync(`${path}-journal`)).toBe(true);
}

async function countIn(path: string, driver: SqliteDriverName, access: "read" | "write" = "read"): Promise<unknown> {
  const database = await openItemStore(path, { driver, access, create: false });
  const count = await countItems(database);
  await database.close();
  return count;
}

async function countItems(database: Database): Promise<unknown> {
  const row = await database.read((tx) => tx.get<{ readonly count: number }>("SELECT count(*) AS count FROM item"));
  return row?.count;
}

async function readCounter(database: Database): Promise<unknown> {
  const row = await database.read((tx) =>
    tx.get<{ readonly rank: number }>("SELECT rank FROM item WHERE title = 'counter'"),
  );
  return row?.rank;
}
