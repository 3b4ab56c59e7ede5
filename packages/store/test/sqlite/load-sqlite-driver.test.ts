import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { loadSqliteDriver } from "../../src/sqlite/load-sqlite-driver.ts";
import type { SqliteDriverName } from "../../src/sqlite/sqlite-driver.ts";

const hasNodeSqlite = process.getBuiltinModule("node:sqlite") !== undefined;

describe("loadSqliteDriver", () => {
  test("prefers node:sqlite where this Node has it", () => {
    expect(loadSqliteDriver().name).toBe(hasNodeSqlite ? "node:sqlite" : "better-sqlite3");
  });

  test.skipIf(hasNodeSqlite)("a named driver that is missing is refused with the command that helps", () => {
    expect(() => loadSqliteDriver("node:sqlite")).toThrow(
      expect.objectContaining({
        code: "sqlite_unavailable",
        message: "no SQLite driver could be loaded (tried node:sqlite)",
        hint: expect.stringContaining("npm install -g --allow-scripts=better-sqlite3 loopx"),
      }),
    );
  });

  test.skipIf(!hasNodeSqlite)("loading node:sqlite writes no warning, and other warnings still appear", () => {
    const program = `
      const { loadNodeSqliteDriver } = await import(${JSON.stringify(new URL("../../src/sqlite/node-sqlite-driver.ts", import.meta.url).href)});
      loadNodeSqliteDriver().open(":memory:", { readonly: false }).close();
      process.emitWarning("something else", "ExperimentalWarning");
    `;
    const options = ["--experimental-strip-types", "--input-type=module", "--eval", program];
    const { stderr } = spawnSync(process.execPath, options, { encoding: "utf8" });
    expect(stderr).toContain("ExperimentalWarning: something else");
    expect(stderr).not.toContain("SQLite");
  });

  test.each(["node:sqlite", "better-sqlite3"] as const)("%s is loaded once", (name: SqliteDriverName) => {
    const load = (): unknown => {
      try {
        return loadSqliteDriver(name);
      } catch {
        return "missing";
      }
    };
    expect(load()).toBe(load());
  });
});
