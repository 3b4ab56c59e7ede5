import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Builds the bundle before any test runs: never while one does, since a running command loads its chunks lazily. */
export function setup(): void {
  execFileSync(process.execPath, [join(import.meta.dirname, "..", "..", "scripts", "build.mjs"), "--quiet"]);
}
