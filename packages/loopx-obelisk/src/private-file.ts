import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface PrivateFile {
  readonly path: string;
  readonly remove: () => void;
}

/**
 * Writes a file that only this user can read, in a folder of its own.
 *
 * It is removed by `remove`, and at the latest when the process ends, by a signal too: a query is private.
 */
export function createPrivateFile(name: string, text: string): PrivateFile {
  // A folder of mkdtemp is 0700.
  const folder = mkdtempSync(join(tmpdir(), "loopx-obelisk-"));
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true });
    process.off("exit", remove);
    for (const signal of ENDING_SIGNALS) process.off(signal, endBySignal);
  };
  process.on("exit", remove);
  for (const signal of ENDING_SIGNALS) process.on(signal, endBySignal);
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600, flag: "wx" });
  return { path, remove };
}

const ENDING_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/** Without a listener a signal ends the process at once, and no `exit` is emitted. */
function endBySignal(): void {
  process.exit(1);
}
