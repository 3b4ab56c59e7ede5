import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { verifyMigrations, type Migration, type SqliteDriverName } from "@loopx/store";
import { describe, expect, test } from "vitest";
import { ITEM_MIGRATIONS, LATER_MIGRATIONS } from "./item-migrations.ts";
import { createTemporaryDirectory, isDriverMissing, openItemStore, SQLITE_DRIVERS } from "./temporary-store.ts";

const digestOf = (migration: Migration): string => `sha256:${createHash("sha256").update(migration.sql).digest("hex")}`;
const LABEL = ".loopx/state.db";

describe.each(SQLITE_DRIVERS)("migrations of a store, %s", (driver) => {
  describe.skipIf(isDriverMissing(driver))("with this driver", () => {
    test("a new store has every migration with its digest and time", async () => {
      const path = join(createTemporaryDirectory(), "state.db");
      const database = await openItemStore(path, { driver, migrations: LATER_MIGRATIONS });
      const rows = await database.read((tx) => tx.all("SELECT * FROM schema_migrations ORDER BY number"));
      expect(rows).toEqual([
        {
          number: 1,
          name: "items",
          digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
          applied_at: "2026-01-02T03:04:05.678Z",
        },
        {
          number: 2,
          name: "owners",
          digest: "sha256:c3857b7dd3c9eb51a6ce01e8701595ae588b227781495586a8c796b61d81c830",
          applied_at: "2026-01-02T03:04:05.678Z",
        },
      ]);
      await verifyMigrations(database, LATER_MIGRATIONS, LABEL);
    });

    test("an old store is backed up in its old schema, then migrated", async () => {
      const path = await createOldStore(driver);
      const migrated = await openItemStore(path, {
        driver,
        migrations: LATER_MIGRATIONS,
        backupBeforeMigration: (database) => database.backupTo(`${path}.backup`),
      });
      expect(await migrated.read((tx) => tx.all("SELECT title, owner FROM item"))).toEqual([
        { title: "old row", owner: "nobody" },
      ]);
      await verifyMigrations(migrated, LATER_MIGRATIONS, LABEL);
      const backup = await openItemStore(`${path}.backup`, { driver, access: "read" });
      expect(await backup.read((tx) => tx.all("SELECT title FROM item"))).toEqual([{ title: "old row" }]);
    });

    test("what a migration makes is filled from the rows that were there, and all of it is undone when that fails", async () => {
      const path = await createOldStore(driver);
      const before = readFileSync(path);
      const derived: Migration = {
        number: 2,
        name: "titles",
        sql: "CREATE TABLE title (words TEXT)",
        fill: async (tx) => void (await tx.run("INSERT INTO title SELECT title FROM item")),
      };
      const failing: Migration = {
        ...derived,
        fill: async (tx) => void (await tx.run("INSERT INTO absent VALUES (1)")),
      };
      const refused = openItemStore(path, { driver, migrations: [...ITEM_MIGRATIONS, failing] });
      await expect(refused).rejects.toMatchObject({ code: "store_failed" });
      expect(readFileSync(path).equals(before)).toBe(true);
      const migrated = await openItemStore(path, { driver, migrations: [...ITEM_MIGRATIONS, derived] });
      expect(await migrated.read((tx) => tx.all("SELECT words FROM title"))).toEqual([{ words: "old row" }]);
    });

    test("nothing is migrated when the backup fails", async () => {
      const path = await createOldStore(driver);
      const before = readFileSync(path);
      const opening = openItemStore(path, {
        driver,
        migrations: LATER_MIGRATIONS,
        backupBeforeMigration: async () => {
          throw new Error("no room for a backup");
        },
      });
      await expect(opening).rejects.toThrow("no room for a backup");
      expect(readFileSync(path).equals(before)).toBe(true);
    });

    test("an old store opened for reading needs a migration and is left as it is", async () => {
      const path = await createOldStore(driver);
      const before = readFileSync(path);
      const opening = openItemStore(path, { driver, access: "read", migrations: LATER_MIGRATIONS });
      await expect(opening).rejects.toMatchObject({ code: "store_needs_migration" });
      expect(readFileSync(path).equals(before)).toBe(true);
    });

    test.each(["read", "write"] as const)("a newer store is refused for %s and left as it is", async (access) => {
      const path = join(createTemporaryDirectory(), "state.db");
      await (await openItemStore(path, { driver, migrations: LATER_MIGRATIONS })).close();
      const before = readFileSync(path);
      const opening = openItemStore(path, { driver, access, migrations: ITEM_MIGRATIONS });
      await expect(opening).rejects.toMatchObject({ code: "store_newer_schema" });
      expect(readFileSync(path).equals(before)).toBe(true);
    });

    test("two that migrate at once: both end with the new schema, applied once", async () => {
      const path = await createOldStore(driver);
      const openings = [1, 2].map(() =>
        openItemStore(path, { driver, migrations: LATER_MIGRATIONS, backupBeforeMigration: pause }),
      );
      const databases = await Promise.all(openings);
      for (const database of databases) await verifyMigrations(database, LATER_MIGRATIONS, LABEL);
    });

    test("of several pending migrations either all are applied or none", async () => {
      const path = await createOldStore(driver);
      const before = await readTables(path, driver);
      const broken: readonly Migration[] = [
        ...LATER_MIGRATIONS,
        { number: 3, name: "broken", sql: "CREATE TABLE late (id INTEGER); CREATE TABLE late (id INTEGER);" },
      ];
      await expect(openItemStore(path, { driver, migrations: broken })).rejects.toMatchObject({ code: "store_failed" });
      expect(await readTables(path, driver)).toEqual(before);
    });

    test("a failing first migration leaves no store", async () => {
      const path = join(createTemporaryDirectory(), "state.db");
      const broken: readonly Migration[] = [{ number: 1, name: "broken", sql: "CREATE TABLE item (id INTEGER); FROB" }];
      await expect(openItemStore(path, { driver, migrations: broken })).rejects.toMatchObject({ code: "store_failed" });
      expect(existsSync(path)).toBe(false);
    });

    const REWRITTEN: readonly Migration[] = LATER_MIGRATIONS.map((migration) =>
      migration.number === 1 ? { ...migration, sql: `${migration.sql} ` } : migration,
    );

    test("an applied migration whose text has changed is found when verifying", async () => {
      const path = join(createTemporaryDirectory(), "state.db");
      const database = await openItemStore(path, { driver, migrations: LATER_MIGRATIONS });
      const verification = verifyMigrations(database, REWRITTEN, LABEL);
      await expect(verification).rejects.toMatchObject({
        code: "store_corrupt",
        message: expect.stringContaining("migration 1 was made from another text"),
      });
    });

    test("an applied migration whose text has changed stops the next migration", async () => {
      const path = await createOldStore(driver);
      const before = readFileSync(path);
      await expect(openItemStore(path, { driver, migrations: REWRITTEN })).rejects.toMatchObject({
        code: "store_corrupt",
      });
      expect(readFileSync(path).equals(before)).toBe(true);
    });

    test("where its digest is written down, a changed text is found by whoever opens the store, and nothing is changed", async () => {
      const path = join(createTemporaryDirectory(), "state.db");
      const pinned = LATER_MIGRATIONS.map((migration) => ({ ...migration, digest: digestOf(migration) }));
      await (await openItemStore(path, { driver, migrations: pinned })).close();
      await (await openItemStore(path, { driver, migrations: pinned })).close();
      const before = readFileSync(path);
      const rewritten = pinned.map((migration) => ({ ...migration, digest: `sha256:${"0".repeat(64)}` }));
      for (const access of ["read", "write"] as const) {
        await expect(openItemStore(path, { driver, access, migrations: rewritten })).rejects.toMatchObject({
          code: "store_corrupt",
          message: expect.stringContaining("migration 1 was made from another text"),
        });
      }
      expect(readFileSync(path).equals(before)).toBe(true);
    });

    test("a store without its list of migrations is none of ours", async () => {
      const path = join(createTemporaryDirectory(), "state.db");
      const database = await openItemStore(path, { driver });
      await database.write((tx) => tx.run("DROP TABLE schema_migrations"));
      await expect(openItemStore(path, { driver })).rejects.toMatchObject({
        code: "store_corrupt",
        message: expect.stringContaining("not a LoopX store"),
      });
    });

    test("a missing or unknown migration is found when verifying", async () => {
      const path = join(createTemporaryDirectory(), "state.db");
      const database = await openItemStore(path, { driver, migrations: LATER_MIGRATIONS });
      await expect(verifyMigrations(database, ITEM_MIGRATIONS, LABEL)).rejects.toMatchObject({ code: "store_corrupt" });
      await database.write((tx) => tx.run("DELETE FROM schema_migrations WHERE number = 2"));
      await expect(verifyMigrations(database, LATER_MIGRATIONS, LABEL)).rejects.toMatchObject({
        code: "store_corrupt",
      });
    });

    test("a store whose version and list of migrations disagree is refused and left as it is", async () => {
      const path = await createOldStore(driver);
      const database = await openItemStore(path, { driver });
      await database.write((tx) => tx.run("DELETE FROM schema_migrations"));
      await database.close();
      const before = readFileSync(path);
      const opening = openItemStore(path, { driver, migrations: LATER_MIGRATIONS });
      await expect(opening).rejects.toMatchObject({ code: "store_corrupt" });
      expect(readFileSync(path).equals(before)).toBe(true);
    });

    test.each([0, 1])(
      "a database of another program (its version: %d) is refused and left as it is",
      async (version) => {
        const path = join(createTemporaryDirectory(), "state.db");
        const database = await openItemStore(path, { driver });
        await database.write(async (tx) => {
          await tx.run("DROP TABLE schema_migrations");
          await tx.run(`PRAGMA user_version = ${version}`);
        });
        await database.close();
        const before = readFileSync(path);
        const opening = openItemStore(path, { driver, migrations: LATER_MIGRATIONS });
        await expect(opening).rejects.toMatchObject({
          code: "store_corrupt",
          message: ".loopx/state.db is a database, but not a LoopX store; it was left as it is",
        });
        expect(readFileSync(path).equals(before)).toBe(true);
      },
    );
  });
});

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 20);
  });
}

async function createOldStore(driver: SqliteDriverName): Promise<string> {
  const path = join(createTemporaryDirectory(), "state.db");
  const database = await openItemStore(path, { driver });
  await database.write((tx) => tx.run("INSERT INTO item (title) VALUES ('old row')"));
  await database.close();
  return path;
}

async function readTables(path: string, driver: SqliteDriverName): Promise<unknown> {
  const database = await openItemStore(path, { driver, access: "read" });
  const tables = await database.read((tx) => tx.all("SELECT name, sql FROM sqlite_schema ORDER BY name"));
  await database.close();
  return tables;
}
