import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "@loopx/store";
import { describe, expect, test } from "vitest";
import { createTemporaryDirectory, isDriverMissing, openItemStore, SQLITE_DRIVERS } from "./temporary-store.ts";

describe.each(SQLITE_DRIVERS)("backup of a store, %s", (driver) => {
  describe.skipIf(isDriverMissing(driver))("with this driver", () => {
    test("a backup holds the committed state, for its user only, and opens as a store", async () => {
      const directory = createTemporaryDirectory();
      const database = await openItemStore(join(directory, "state.db"), { driver });
      await addItem(database, "kept");
      const copyPath = join(directory, "copy.db");
      await database.backupTo(copyPath);
      await addItem(database, "later");
      expect(statSync(copyPath).mode & 0o777).toBe(0o600);
      const copy = await openItemStore(copyPath, { driver });
      expect(await countItems(copy)).toBe(1);
      expect(await countItems(database)).toBe(2);
    });

    test("a store that is only readable can be backed up", async () => {
      const directory = createTemporaryDirectory();
      await addItem(await openItemStore(join(directory, "state.db"), { driver }), "kept");
      const reader = await openItemStore(join(directory, "state.db"), { driver, access: "read" });
      await reader.backupTo(join(directory, "copy.db"));
      expect(await countItems(await openItemStore(join(directory, "copy.db"), { driver }))).toBe(1);
    });

    test("an existing target is refused and left as it is", async () => {
      const directory = createTemporaryDirectory();
      const database = await openItemStore(join(directory, "state.db"), { driver });
      writeFileSync(join(directory, "copy.db"), "precious");
      await expect(database.backupTo(join(directory, "copy.db"))).rejects.toMatchObject({ code: "file_not_writable" });
      expect(readFileSync(join(directory, "copy.db"), "utf8")).toBe("precious");
    });

    test("a backup that fails half-way leaves nothing", async () => {
      const directory = createTemporaryDirectory();
      const path = join(directory, "state.db");
      const database = await openItemStore(path, { driver });
      await addItem(database, "kept ".repeat(10_000));
      await database.close();
      const bytes = readFileSync(path);
      writeFileSync(path, bytes.fill(0xaa, 2 * 4096));
      const damaged = await openItemStore(path, { driver });
      await expect(damaged.backupTo(join(directory, "copy.db"))).rejects.toMatchObject({ code: "store_corrupt" });
      expect(readdirSync(directory)).toEqual(["state.db"]);
    });

    test("a backup into a missing directory is refused", async () => {
      const directory = createTemporaryDirectory();
      const database = await openItemStore(join(directory, "state.db"), { driver });
      const backup = database.backupTo(join(directory, "nowhere", "copy.db"));
      await expect(backup).rejects.toMatchObject({ code: "file_not_writable" });
      expect(existsSync(join(directory, "nowhere"))).toBe(false);
    });
  });
});

async function addItem(database: Database, title: string): Promise<void> {
  await database.write((tx) => tx.run("INSERT INTO item (title) VALUES (?)", title));
}

async function countItems(database: Database): Promise<unknown> {
  const row = await database.read((tx) => tx.get<{ readonly count: number }>("SELECT count(*) AS count FROM item"));
  return row?.count;
}
