import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

/** Changes a store behind the program's back, its schema table too where the statements write that. */
export function runSql(store: string, statements: string): void {
  const driver = createRequire(import.meta.url).resolve("better-sqlite3");
  const script = `
    const [, driver, store, statements] = process.argv;
    const own = process.getBuiltinModule("node:sqlite");
    const database = own ? new own.DatabaseSync(store, { defensive: false }) : new (require(driver))(store).unsafeMode();
    database.exec(statements);
    database.close();`;
  const done = spawnSync(process.execPath, ["-e", script, driver, store, statements], { encoding: "utf8" });
  if (done.status !== 0) throw new Error(done.stderr);
}
