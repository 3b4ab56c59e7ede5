import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Migration, SqliteDriverName } from "@loopx/store";
import { describe, expect, test } from "vitest";
import { HOME_SCHEMA } from "../../../packages/loopx/src/project/home-schema.ts";
import { PROJECT_SCHEMA } from "../../../packages/loopx/src/project/project-schema.ts";
import { TRACE_MIGRATIONS } from "../../../packages/runtime-context/src/trace/trace-schema.ts";
import { runSql } from "../../support/run-sql.ts";
import { ITEM_MIGRATIONS, LATER_MIGRATIONS } from "./item-migrations.ts";
import { createTemporaryDirectory, isDriverMissing, openItemStore, SQLITE_DRIVERS } from "./temporary-store.ts";

const ENDLESS = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)";

/** What a store may hold that came with a clone; each would run, or be read, with a statement of ours. */
const FOREIGN: Readonly<Record<string, string>> = {
  "a view in place of a table": `DROP TABLE note; CREATE VIEW note AS ${ENDLESS} SELECT n AS id, n AS item_id FROM r`,
  "a view in place of the table of migrations": `DROP TABLE schema_migrations; CREATE VIEW schema_migrations AS ${ENDLESS} SELECT n AS number, 'x' AS digest FROM r`,
  "a view that hides the engine's table": `DROP TABLE note; PRAGMA writable_schema = ON; CREATE VIEW hidden AS ${ENDLESS} SELECT n AS sql FROM r;
    UPDATE sqlite_master SET name = 'sqlite_schema', tbl_name = 'sqlite_schema', sql = replace(sql, 'VIEW hidden', 'VIEW sqlite_schema') WHERE name = 'hidden'`,
  "a trigger": "CREATE TRIGGER planted AFTER INSERT ON item BEGIN UPDATE note SET item_id = 1; END",
  "another table": "CREATE TABLE planted (id INTEGER)",
  "another index": "CREATE INDEX planted ON item (title)",
  "an index over an expression": "CREATE INDEX planted ON item (hex(title))",
  "a table with another column": "ALTER TABLE item ADD COLUMN planted AS (hex(title))",
  "a table with a check":
    "DROP TABLE note; CREATE TABLE note (id INTEGER PRIMARY KEY, item_id INTEGER NOT NULL CHECK (item_id > 0))",
  "a virtual table": "CREATE VIRTUAL TABLE planted USING fts5(words)",
  "a table too few": "DROP TABLE note",
};

describe.each(SQLITE_DRIVERS)("what a store defines, %s", (driver) => {
  describe.skipIf(isDriverMissing(driver))("with this driver", () => {
    test.each(Object.entries(FOREIGN))(
      "%s is refused at the opening, and nothing is changed",
      async (_, statements) => {
        for (const migrations of [ITEM_MIGRATIONS, LATER_MIGRATIONS]) {
          const path = await createStore(driver, migrations);
          runSql(path, statements);
          const before = readFileSync(path);
          for (const access of ["read", "write"] as const) {
            const opening = openItemStore(path, { driver, access, migrations });
            await expect(opening).rejects.toMatchObject({ code: "store_corrupt", hint: "loopx doctor" });
          }
          expect(readFileSync(path).equals(before)).toBe(true);
        }
      },
    );

    test("an old store is looked at before it is migrated", async () => {
      const path = await createStore(driver, ITEM_MIGRATIONS);
      runSql(path, "CREATE TRIGGER planted AFTER INSERT ON item BEGIN UPDATE note SET item_id = 1; END");
      let backups = 0;
      const opening = openItemStore(path, {
        driver,
        migrations: LATER_MIGRATIONS,
        backupBeforeMigration: async () => void (backups += 1),
      });
      await expect(opening).rejects.toMatchObject({ code: "store_corrupt" });
      expect(backups).toBe(0);
    });

    test("a store of ours is opened after it was made, migrated, copied and packed", async () => {
      for (const migrations of [PROJECT_SCHEMA, HOME_SCHEMA, TRACE_MIGRATIONS, LATER_MIGRATIONS]) {
        const path = await createStore(driver, migrations.slice(0, 1));
        const migrated = await openItemStore(path, { driver, migrations });
        await migrated.backupTo(`${path}.copy`);
        await migrated.close();
        runSql(path, "VACUUM");
        await (await openItemStore(path, { driver, migrations })).close();
        await (await openItemStore(`${path}.copy`, { driver, migrations, access: "read" })).close();
      }
    });
  });
});

async function createStore(driver: SqliteDriverName, migrations: readonly Migration[]): Promise<string> {
  const path = join(createTemporaryDirectory(), "state.db");
  await (await openItemStore(path, { driver, migrations })).close();
  return path;
}
