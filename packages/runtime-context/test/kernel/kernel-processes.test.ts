import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decideOneTurn } from "./decide-one-turn.ts";

const directory = mkdtempSync(join(tmpdir(), "loopx-kernel-"));
const program = join(directory, "print-one-turn.mjs");

beforeAll(async () => {
  await build({
    entryPoints: [join(import.meta.dirname, "print-one-turn.ts")],
    outfile: program,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    mainFields: ["module", "main"],
    logLevel: "warning",
  });
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

test.each([
  ["UTC", "C"],
  ["Pacific/Kiritimati", "tr_TR.UTF-8"],
  ["America/St_Johns", "de_DE.UTF-8"],
  ["Asia/Kolkata", "zh_CN.UTF-8"],
])("another process in time zone %s and locale %s gives the same bytes", (timeZone, locale) => {
  const env = { TZ: timeZone, LANG: locale, LC_ALL: locale };
  const printed = execFileSync(process.execPath, [program], { env, cwd: directory, encoding: "utf8" });
  expect(printed).toBe(decideOneTurn());
  expect(printed).toContain("DEGRADED");
});
