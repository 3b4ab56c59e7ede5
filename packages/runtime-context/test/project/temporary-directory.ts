import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A directory of its own with these files, gone when the test is. */
export function createDirectory(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "loopx-context-unit-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  return directory;
}
