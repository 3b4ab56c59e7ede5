import { createRequire, isBuiltin } from "node:module";
import type { ChildDriver } from "./child-protocol.ts";

/** Which SQLite library a child can load, as `loadSqliteDriver` of the store chooses; undefined where there is none. */
export function findChildDriver(): ChildDriver | undefined {
  // Asked for without loading it: that would warn on Node 22, and this process never opens a provider's database.
  if (isBuiltin("node:sqlite")) return { name: "node:sqlite" };
  // The child has no packages of its own to resolve, so it is told where they are.
  const { resolve } = createRequire(import.meta.filename);
  try {
    const addon = resolve("better-sqlite3/build/Release/better_sqlite3.node");
    return { name: "better-sqlite3", entry: resolve("better-sqlite3"), addon };
  } catch {
    return undefined;
  }
}
