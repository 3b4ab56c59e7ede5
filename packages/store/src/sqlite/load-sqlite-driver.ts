import { LoopxError } from "@loopx/contracts";
import { loadBetterSqlite3Driver } from "./better-sqlite3-driver.ts";
import { loadNodeSqliteDriver } from "./node-sqlite-driver.ts";
import type { SqliteDriver, SqliteDriverName } from "./sqlite-driver.ts";

const LOADERS: Readonly<Record<SqliteDriverName, () => SqliteDriver | undefined>> = {
  "node:sqlite": loadNodeSqliteDriver,
  "better-sqlite3": loadBetterSqlite3Driver,
};

const loadedDrivers = new Map<SqliteDriverName, SqliteDriver>();

/**
 * Finds a SQLite library this Node can run: `node:sqlite` where it exists, else better-sqlite3.
 *
 * A preference is exact: that driver or a refusal, never the other one.
 * Refuses with `sqlite_unavailable`.
 */
export function loadSqliteDriver(preference?: SqliteDriverName): SqliteDriver {
  const names: readonly SqliteDriverName[] = preference ? [preference] : ["node:sqlite", "better-sqlite3"];
  for (const name of names) {
    const driver = loadedDrivers.get(name) ?? LOADERS[name]();
    if (driver) {
      loadedDrivers.set(name, driver);
      return driver;
    }
  }
  throw new LoopxError("sqlite_unavailable", {
    message: `no SQLite driver could be loaded (tried ${names.join(", ")})`,
    hint: "npm install -g --allow-scripts=better-sqlite3 loopx (or run LoopX on Node 22.13 or newer)",
    details: { tried: names },
  });
}
