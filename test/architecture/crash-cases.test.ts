import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listCommands } from "../../packages/loopx/src/command-table/command-table.ts";
import { EVERY_WRITE } from "../long/every-command-cases.ts";

const writes = listCommands().filter(({ spec }) => spec.authority !== "read");

test("every command that is more than a read is killed at its system calls, or says why not", () => {
  expect(Object.keys(EVERY_WRITE).toSorted()).toEqual(writes.map(({ name }) => name).toSorted());
});

test("a reason names a test that is there", () => {
  const named = Object.values(EVERY_WRITE).flatMap((entry) =>
    typeof entry === "string" ? [...entry.matchAll(/test\/\S+\.test\.ts/g)].map(([path]) => path) : [],
  );
  expect(named.filter((path) => !existsSync(join(import.meta.dirname, "..", "..", path)))).toEqual([]);
});
