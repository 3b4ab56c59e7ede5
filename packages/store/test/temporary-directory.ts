import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A directory of its own, gone when the test is. */
export function createTemporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "loopx-store-unit-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
