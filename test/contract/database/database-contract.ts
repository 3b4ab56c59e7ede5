import { randomUUID } from "node:crypto";
import type { Database, Transaction } from "@loopx/store";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

/**
 * What every `Database` must do, whatever engine is below.
 *
 * `openDatabase` opens the store of that name, made on first use with the schema of `ITEM_MIGRATIONS`, and closes it when the
 * test is done.
 */
export function describeDatabaseContract(name: string, openDatabase: (storeName: string) => Promise<Database>): void {
  const openFresh = (): Promise<Database> => openDatabase(randomUUID());

  describe(`${name} transactions`, () => {
    test("a committed write is there for the next reader of another connection", async () => {
      const writer = await openDatabase("shared-1");
      const reader = await openDatabase("shared-1");
      await writer.write((tx) => tx.run("INSERT INTO item (title) VALUES (?)", "kept"));
      expect(await reader.read(listTitles)).toEqual(["kept"]);
    });

    test("clearing the log keeps what was committed", async () => {
      const database = await openFresh();
      await database.write((tx) => tx.run("INSERT INTO item (title) VALUES (?)", "kept"));
      expect(await database.clearLog()).toBe(true);
      expect(await database.read(listTitles)).toEqual(["kept"]);
    });

    test("returning free space keeps what is there", async () => {
      const database = await openFresh();
      await database.write(async (tx) => {
        for (let count = 0; count < 200; count += 1)
          await tx.run("INSERT INTO item (title) VALUES (?)", "x".repeat(2_000));
        await tx.run("INSERT INTO item (title) VALUES (?)", "kept");
      });
      await database.write((tx) => tx.run("DELETE FROM item WHERE title <> ?", "kept"));
      const returned = await database.returnFreeSpace();
      if (database.engine === "postgres") expect(returned).toBeUndefined();
      else expect(returned?.bytesAfter).toBeLessThan((returned?.bytesBefore ?? 0) / 4);
      expect(await database.read(listTitles)).toEqual(["kept"]);
      const again = await database.returnFreeSpace();
      expect(again?.bytesAfter).toBe(again?.bytesBefore);
    });

    test("a write whose work throws leaves nothing, and the very error comes out", async () => {
      const database = await openFresh();
      const reason = new Error("changed my mind");
      const write = database.write(async (tx) => {
        await tx.run("INSERT INTO item (title) VALUES (?)", "half");
        throw reason;
      });
      await expect(write).rejects.toBe(reason);
      expect(await database.read(listTitles)).toEqual([]);
    });

    test("work that throws before its first statement rolls back too", async () => {
      const database = await openFresh();
      const write = database.write(() => {
        throw new Error("at once");
      });
      await expect(write).rejects.toThrow("at once");
      expect(await database.write((tx) => tx.run("INSERT INTO item (title) VALUES (?)", "next"))).toBe(1);
    });

    test("a statement that failed spoils its transaction even when the work goes on", async () => {
      const database = await openFresh();
      const write = database.write(async (tx) => {
        await tx.run("INSERT INTO item (id, title) VALUES (?, ?)", 1, "first");
        await tx.run("INSERT INTO item (id, title) VALUES (?, ?)", 1, "again").catch(() => undefined);
        await tx.run("INSERT INTO item (title) VALUES (?)", "after").catch(() => undefined);
      });
      await expect(write).rejects.toMatchObject({ code: "store_failed" });
      expect(await database.read(listTitles)).toEqual([]);
    });

    test("writes of one Database queue: each reads what the one before has written", async () => {
      const database = await openFresh();
      await database.write((tx) => tx.run("INSERT INTO item (title, rank) VALUES ('counter', 0)"));
      await Promise.all(Array.from({ length: 20 }, () => database.write(incrementSlowly)));
      expect(await database.read(readCounter)).toBe(20);
    });

    test("writers of two connections in one process wait for each other", async () => {
      const first = await openDatabase("shared-2");
      const second = await openDatabase("shared-2");
      await first.write((tx) => tx.run("INSERT INTO item (title, rank) VALUES ('counter', 0)"));
      const writes = [first, second, first, second].map((database) => database.write(incrementSlowly));
      await Promise.all(writes);
      expect(await second.read(readCounter)).toBe(4);
    });

    test("a reader sees one snapshot while another connection writes", async () => {
      const reader = await openDatabase("shared-3");
      const writer = await openDatabase("shared-3");
      const writes: Promise<number>[] = [];
      const seen = await reader.read(async (tx) => {
        const before = await listTitles(tx);
        writes.push(writer.write((other) => other.run("INSERT INTO item (title) VALUES ('meanwhile')")));
        await pause();
        return [before, await listTitles(tx)];
      });
      await Promise.all(writes);
      expect(seen).toEqual([[], []]);
      expect(await reader.read(listTitles)).toEqual(["meanwhile"]);
    });

    test("a reader does not see a write that is not committed", async () => {
      const reader = await openDatabase("shared-4");
      const writer = await openDatabase("shared-4");
      await writer.write(async (tx) => {
        await tx.run("INSERT INTO item (title) VALUES ('open')");
        expect(await reader.read(listTitles)).toEqual([]);
      });
      expect(await reader.read(listTitles)).toEqual(["open"]);
    });

    test("a statement after its transaction is refused and not carried out", async () => {
      const database = await openFresh();
      const escaped = await database.write(async (tx) => [tx]);
      const late = escaped[0]?.run("INSERT INTO item (title) VALUES ('late')");
      await expect(late).rejects.toMatchObject({ code: "internal" });
      expect(await database.read(listTitles)).toEqual([]);
    });

    test("run is refused inside read", async () => {
      const database = await openFresh();
      const attempt = database.read((tx) => tx.run("INSERT INTO item (title) VALUES ('sneaked in')"));
      await expect(attempt).rejects.toMatchObject({ code: "internal" });
      expect(await database.read(listTitles)).toEqual([]);
    });

    test("close waits for the work that is queued, and can be called twice", async () => {
      const database = await openFresh();
      const write = database.write((tx) => tx.run("INSERT INTO item (title) VALUES ('queued')"));
      await database.close();
      await database.close();
      expect(await write).toBe(1);
      await expect(database.read(listTitles)).rejects.toMatchObject({ code: "internal" });
    });
  });

  describe(`${name} statements`, () => {
    test("all gives rows, get the first or undefined, run the number of changed rows", async () => {
      const database = await openFresh();
      await database.write(async (tx) => {
        expect(await tx.run("INSERT INTO item (id, title) VALUES (?, ?), (?, ?)", 1, "a", 2, "b")).toBe(2);
        expect(await tx.run("UPDATE item SET rank = 7")).toBe(2);
        expect(await tx.run("DELETE FROM item WHERE id = ?", 99)).toBe(0);
        expect(await tx.get("SELECT id, title FROM item WHERE id = ?", 99)).toBeUndefined();
        expect(await tx.get("SELECT id, title FROM item WHERE id = ?", 2)).toStrictEqual({ id: 2, title: "b" });
        expect(await tx.all("SELECT id, rank FROM item ORDER BY id")).toStrictEqual([
          { id: 1, rank: 7 },
          { id: 2, rank: 7 },
        ]);
      });
    });

    test("an upsert by ON CONFLICT and a RETURNING clause work", async () => {
      const database = await openFresh();
      const sql =
        "INSERT INTO item (id, title) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET title = excluded.title RETURNING title";
      await database.write((tx) => tx.all(sql, 1, "old"));
      expect(await database.write((tx) => tx.all(sql, 1, "new"))).toEqual([{ title: "new" }]);
    });

    test("a broken reference is refused", async () => {
      const database = await openFresh();
      const write = database.write((tx) => tx.run("INSERT INTO note (item_id) VALUES (?)", 404));
      await expect(write).rejects.toMatchObject({ code: "store_failed" });
    });

    test("any text, whole number and fraction comes back as it was", async () => {
      const database = await openFresh();
      const value = fc.record({
        title: fc.option(fc.string({ unit: "grapheme", maxLength: 40 }).filter((text) => !text.includes("\0"))),
        rank: fc.maxSafeInteger(),
        ratio: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }).map((number) => number + 0),
      });
      const property = fc.asyncProperty(value, async ({ title, rank, ratio }) => {
        const stored = await database.write(async (tx) => {
          await tx.run("DELETE FROM item");
          await tx.run("INSERT INTO item (title, rank, ratio) VALUES (?, ?, ?)", title, rank, ratio);
          return tx.get("SELECT title, rank, ratio FROM item");
        });
        expect(stored).toEqual({ title, rank, ratio });
      });
      await fc.assert(property, { numRuns: 60 });
    });

    test("a whole number is given to the engine as an integer, also beyond 32 bits", async () => {
      const database = await openFresh();
      const sql = "SELECT CAST(? AS TEXT) AS small, CAST(? AS TEXT) AS large, CAST(? AS TEXT) AS fraction";
      const row = await database.read((tx) => tx.get(sql, 5, -1_099_511_627_776, 0.5));
      expect(row).toEqual({ small: "5", large: "-1099511627776", fraction: "0.5" });
    });

    test.each([
      { what: "NUL", text: "a\0b" },
      { what: "a lone high surrogate", text: "a\ud83d" },
      { what: "a lone low surrogate", text: "\ude00b" },
    ])("text with $what is refused", async ({ text }) => {
      const database = await openFresh();
      const write = database.write((tx) => tx.run("INSERT INTO item (title) VALUES (?)", text));
      await expect(write).rejects.toMatchObject({ code: "text_not_storable" });
    });

    test.each([
      { what: "too few values", values: [] },
      { what: "too many values", values: ["a", "b"] },
      { what: "a number beyond 2^53", values: [2 ** 53] },
      { what: "NaN", values: [Number.NaN] },
      { what: "infinity", values: [Number.POSITIVE_INFINITY] },
      { what: "undefined", values: Array.from<null>({ length: 1 }) },
    ])("$what: refused as a fault of the program", async ({ values }) => {
      const database = await openFresh();
      const write = database.write((tx) => tx.run("INSERT INTO item (title) VALUES (?)", ...values));
      await expect(write).rejects.toMatchObject({ code: "internal" });
    });

    test("question marks in quotes and comments are no placeholders", async () => {
      const database = await openFresh();
      const sql = "SELECT 'it''s ?' AS a, ? AS \"b?\" /* ? */ -- ?";
      expect(await database.read((tx) => tx.get(sql, "x"))).toEqual({ a: "it's ?", "b?": "x" });
    });

    test("a statement the engine does not understand is store_failed, and the engine's words stay in the cause", async () => {
      const database = await openFresh();
      const failure = await database.read((tx) => tx.all("SELEKT 1")).catch((error: Error) => error);
      expect(failure).toMatchObject({
        code: "store_failed",
        cause: expect.any(Error),
        message: expect.not.stringContaining("SELEKT"),
      });
    });
  });
}

async function listTitles(tx: Transaction): Promise<readonly string[]> {
  const rows = await tx.all<{ readonly title: string }>("SELECT title FROM item ORDER BY id");
  return rows.map((row) => row.title);
}

async function readCounter(tx: Transaction): Promise<number | undefined> {
  const row = await tx.get<{ readonly rank: number }>("SELECT rank FROM item WHERE title = 'counter'");
  return row?.rank;
}

async function incrementSlowly(tx: Transaction): Promise<void> {
  const rank = await readCounter(tx);
  await pause();
  await tx.run("UPDATE item SET rank = ? WHERE title = 'counter'", (rank ?? 0) + 1);
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 5);
  });
}
