import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ERROR_MEANINGS, ERROR_TABLE } from "@loopx/contracts";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");

test("every error code has its own meaning and a sensible exit code", () => {
  const meanings = Object.values(ERROR_MEANINGS);
  expect(new Set(meanings).size).toBe(meanings.length);
  for (const [code, entry] of Object.entries(ERROR_TABLE)) {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(entry.exit).toBeGreaterThan(0);
  }
  const usage = Object.values(ERROR_TABLE).filter((entry) => entry.category === "usage");
  expect(new Set(usage.map((entry) => entry.exit))).toEqual(new Set([2]));
});

test("every error code is used", () => {
  const sources = readdirSync(join(root, "packages"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && entry.parentPath.includes("src"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.endsWith("contracts/src/errors.ts") && !path.includes("node_modules"))
    .map((path) => readFileSync(path, "utf8"))
    .join("\n");
  const unused = Object.keys(ERROR_TABLE).filter((code) => !sources.includes(`"${code}"`));
  expect(unused).toEqual([]);
});
