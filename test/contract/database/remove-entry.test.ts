import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { removeEntry } from "@loopx/store";
import { expect, test } from "vitest";
import { createTemporaryDirectory } from "./temporary-store.ts";

test.each([
  ["a file", (path: string) => writeFileSync(path, "x")],
  ["a folder with something in it", (path: string) => mkdirSync(join(path, "inner"), { recursive: true })],
  ["a link that leads nowhere", (path: string) => symlinkSync("/nowhere/at/all", path)],
  ["a pipe", (path: string) => execFileSync("mkfifo", [path])],
  ["nothing", () => undefined],
])("%s is taken away", (_, put) => {
  const path = join(createTemporaryDirectory(), "entry");
  put(path);
  removeEntry(path);
  expect(lstatSync(path, { throwIfNoEntry: false })).toBeUndefined();
});

test("of a link only the link is taken away", () => {
  const directory = createTemporaryDirectory();
  const target = join(directory, "kept");
  mkdirSync(target);
  symlinkSync(target, join(directory, "link"));
  removeEntry(join(directory, "link"));
  expect(existsSync(target)).toBe(true);
});
