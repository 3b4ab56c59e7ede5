import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Builds the bundle before any test runs: never while one does, since a running command loads its chunks lazily. What
 * tests make in the folder for temporary files is gone when the run ends.
 */
export function setup(): () => void {
  execFileSync(process.execPath, [join(import.meta.dirname, "..", "..", "scripts", "build.mjs"), "--quiet"]);
  const before = process.env["TMPDIR"];
  const folder = mkdtempSync(join(tmpdir(), "loopx-tests-"));
  // Some programs are started as another user.
  chmodSync(folder, 0o755);
  process.env["TMPDIR"] = folder;
  return () => {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
    rmSync(folder, { recursive: true, force: true });
  };
}
