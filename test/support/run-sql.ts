import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

/** Changes a store behind the program's back. */
export function runSql(store: string, statements: string): void {
  const driver = createRequire(import.meta.url).resolve("better-sqlite3");
  const script = `const d = new (require(process.argv[1]))(process.argv[2]).unsafeMode(); d.exec(process.argv[3]); d.close()`;
  const done = spawnSync(process.execPath, ["-e", script, driver, store, statements], { encoding: "utf8" });
  if (done.status !== 0) throw new Error(done.stderr);
}
