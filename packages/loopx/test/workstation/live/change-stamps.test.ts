import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createChangeStamps } from "../../../src/workstation/live/change-stamps.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "change-stamps-"));
  file = join(folder, "state.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const WRITTEN_MS = 1_700_000_000_000;

function write(content: string, atMs: number): void {
  writeFileSync(file, content);
  utimesSync(file, atMs / 1000, atMs / 1000);
}

test("a file is unchanged at the first look, and changed once for each time it is written, made or removed", () => {
  const stamps = createChangeStamps(() => WRITTEN_MS + 60_000);
  expect(stamps.hasChanged(file)).toBe(false);
  write("one", WRITTEN_MS);
  expect([stamps.hasChanged(file), stamps.hasChanged(file)]).toEqual([true, false]);
  write("two", WRITTEN_MS + 1_000);
  expect([stamps.hasChanged(file), stamps.hasChanged(file)]).toEqual([true, false]);
  write("longer", WRITTEN_MS + 1_000);
  expect([stamps.hasChanged(file), stamps.hasChanged(file)]).toEqual([true, false]);
  rmSync(file);
  expect([stamps.hasChanged(file), stamps.hasChanged(file)]).toEqual([true, false]);
});

test("one that was written within the same tick as the look counts as changed at the next", () => {
  let nowMs = WRITTEN_MS + 60_000;
  const stamps = createChangeStamps(() => nowMs);
  write("one", WRITTEN_MS);
  stamps.hasChanged(file);
  nowMs += 1_000;
  write("two", nowMs);
  expect(stamps.hasChanged(file)).toBe(true);
  // As long as the first and at the same time: nothing but the doubt tells them apart.
  write("six", nowMs);
  nowMs += 300;
  expect([stamps.hasChanged(file), stamps.hasChanged(file)]).toEqual([true, false]);
});

test("a file that is no longer asked about is forgotten", () => {
  const stamps = createChangeStamps(() => WRITTEN_MS + 60_000);
  write("one", WRITTEN_MS);
  stamps.hasChanged(file);
  stamps.keepOnly(new Set());
  write("two", WRITTEN_MS + 1_000);
  expect(stamps.hasChanged(file)).toBe(false);
});
