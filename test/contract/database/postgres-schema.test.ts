import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ITEM_MIGRATIONS, LATER_MIGRATIONS } from "./item-migrations.ts";
import { isPostgresThere, newSchemaName, openPostgresItems, runOnServer } from "./postgres-store.ts";
import { createTemporaryDirectory, openItemStore } from "./temporary-store.ts";

describe.skipIf(!isPostgresThere())("a schema of PostgreSQL as a store", () => {
  test.each([
    { what: "a view", sql: "CREATE VIEW seen AS SELECT 1 AS one" },
    { what: "a table", sql: "CREATE TABLE stray (id BIGINT)" },
    { what: "a column", sql: "ALTER TABLE item ADD COLUMN stray TEXT" },
    { what: "a column of another type", sql: "ALTER TABLE item ALTER COLUMN rank TYPE INTEGER" },
    { what: "another collation", sql: 'ALTER TABLE item ALTER COLUMN title TYPE TEXT COLLATE "en-x-icu"' },
    { what: "a column that may be empty", sql: "ALTER TABLE item ALTER COLUMN rank DROP NOT NULL" },
    { what: "an index", sql: "CREATE INDEX stray ON item (rank)" },
    { what: "a check", sql: "ALTER TABLE item ADD CONSTRAINT stray CHECK (rank >= 0)" },
    { what: "a function", sql: "CREATE FUNCTION substr(text, int) RETURNS text LANGUAGE sql RETURN 'x'" },
    { what: "a rule", sql: "CREATE RULE stray AS ON DELETE TO item DO INSTEAD NOTHING" },
    { what: "a policy", sql: "CREATE POLICY stray ON item USING (true)" },
    { what: "a missing table", sql: "DROP TABLE note" },
    {
      what: "a trigger",
      sql:
        "CREATE TRIGGER stray BEFORE UPDATE ON item FOR EACH ROW " +
        "EXECUTE FUNCTION suppress_redundant_updates_trigger()",
    },
    {
      what: "a generated column",
      sql: "ALTER TABLE item ADD COLUMN double BIGINT GENERATED ALWAYS AS (rank * 2) STORED",
    },
  ])("$what that LoopX does not make is store_corrupt, and stays as it is", async ({ sql }) => {
    const schema = newSchemaName();
    await (await openPostgresItems(schema)).close();
    await runOnServer(`SET search_path = ${schema}; ${sql}`);
    await expect(openPostgresItems(schema)).rejects.toMatchObject({ code: "store_corrupt" });
  });

  test("a function elsewhere that a default or an index calls is store_corrupt", async () => {
    const schema = newSchemaName();
    await (await openPostgresItems(schema)).close();
    await runOnServer(
      `CREATE FUNCTION public.of_${schema}() RETURNS bigint LANGUAGE sql RETURN 1;
       ALTER TABLE ${schema}.item ALTER COLUMN rank SET DEFAULT public.of_${schema}()`,
    );
    await expect(openPostgresItems(schema)).rejects.toMatchObject({ code: "store_corrupt" });
  });

  test("another program's tables are no store, and nothing is made beside them", async () => {
    const schema = newSchemaName();
    await runOnServer(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.theirs (id BIGINT)`);
    await expect(openPostgresItems(schema)).rejects.toMatchObject({ code: "store_corrupt" });
    await runOnServer(`DO $$ BEGIN IF to_regclass('${schema}.item') IS NOT NULL THEN RAISE 'made'; END IF; END $$`);
  });

  test("an empty schema that somebody made before is taken into use", async () => {
    const schema = newSchemaName();
    await runOnServer(`CREATE SCHEMA ${schema}`);
    const database = await openPostgresItems(schema);
    expect(await database.read((tx) => tx.all("SELECT id FROM item"))).toEqual([]);
  });

  test("a missing one is store_missing where it is not to be made", async () => {
    const schema = newSchemaName();
    await expect(openPostgresItems(schema, { create: false })).rejects.toMatchObject({ code: "store_missing" });
    await expect(openPostgresItems(schema, { access: "read" })).rejects.toMatchObject({ code: "store_missing" });
  });

  test("ten that create one store at once make one", async () => {
    const schema = newSchemaName();
    const opened = await Promise.all(Array.from({ length: 10 }, () => openPostgresItems(schema)));
    await Promise.all(opened.map((database) => database.write((tx) => tx.run("INSERT INTO item (rank) VALUES (1)"))));
    const count = await opened[0]?.read((tx) => tx.get("SELECT COUNT(*) AS count FROM item"));
    expect(count).toEqual({ count: 10 });
  });

  test("an older schema is migrated by a writer after its backup, and refused to a reader", async () => {
    const schema = newSchemaName();
    const first = await openPostgresItems(schema);
    await first.write((tx) => tx.run("INSERT INTO item (id, title) VALUES (1, 'kept')"));
    await first.close();
    const reading = openPostgresItems(schema, { migrations: LATER_MIGRATIONS, access: "read", create: false });
    await expect(reading).rejects.toMatchObject({ code: "store_needs_migration" });
    const refusal = new Error("not now");
    const beforeMigration = (): Promise<void> => Promise.reject(refusal);
    const refused = openPostgresItems(schema, { migrations: LATER_MIGRATIONS, beforeMigration });
    await expect(refused).rejects.toBe(refusal);
    const later = await openPostgresItems(schema, { migrations: LATER_MIGRATIONS });
    expect(await later.read((tx) => tx.all("SELECT title, owner FROM item"))).toEqual([
      { title: "kept", owner: "nobody" },
    ]);
    await expect(openPostgresItems(schema)).rejects.toMatchObject({ code: "store_newer_schema" });
  });

  test("a changed digest is store_corrupt", async () => {
    const schema = newSchemaName();
    const migrations = ITEM_MIGRATIONS.map((migration) => ({ ...migration, digest: "sha256:other" }));
    await (await openPostgresItems(schema)).close();
    await expect(openPostgresItems(schema, { migrations })).rejects.toMatchObject({ code: "store_corrupt" });
  });

  test("a schema's name that is no plain word is refused", async () => {
    const opening = openPostgresItems('x"; DROP SCHEMA public; --');
    await expect(opening).rejects.toMatchObject({ code: "invalid_value", details: { field: "schema" } });
  });

  test("text sorts by its bytes whatever the server's collation is", async () => {
    const database = await openPostgresItems(newSchemaName());
    await database.write((tx) =>
      tx.run("INSERT INTO item (title) VALUES ('a'), ('B'), ('_'), ('ä'), ('Z'), ('10'), ('9')"),
    );
    const sorted = await database.read((tx) => tx.all("SELECT title FROM item ORDER BY title"));
    expect(sorted.map((row) => row["title"])).toEqual(["10", "9", "B", "Z", "_", "a", "ä"]);
  });

  test("a backup is a SQLite store with the same rows, and replaces no file", async () => {
    const database = await openPostgresItems(newSchemaName());
    await database.write(async (tx) => {
      for (let id = 1; id <= 1_203; id += 1)
        await tx.run("INSERT INTO item (id, title) VALUES (?, ?)", id, `number ${id}`);
      await tx.run("INSERT INTO note (id, item_id) VALUES (1, 7)");
    });
    const path = join(createTemporaryDirectory(), "backup.db");
    await database.backupTo(path);
    const backup = await openItemStore(path, { create: false, access: "read" });
    const all = "SELECT id, title, rank, ratio FROM item ORDER BY id";
    expect(await backup.read((tx) => tx.all(all))).toEqual(await database.read((tx) => tx.all(all)));
    expect(await backup.read((tx) => tx.all("SELECT * FROM note"))).toEqual([{ id: 1, item_id: 7 }]);
    await expect(database.backupTo(path)).rejects.toMatchObject({ code: "file_not_writable" });
  });
});
