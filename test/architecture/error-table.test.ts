import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ERROR_MEANINGS, ERROR_TABLE } from "@loopx/contracts";
import { expect, test } from "vitest";
import { LAST_STEPS } from "../../packages/loopx/src/output/in-words-of-line.ts";
import { NEXT_STEPS } from "../../packages/loopx/src/project/with-next-step.ts";

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

/** Codes that say nothing of what to do next, and why nobody misses it. */
const NO_NEXT_STEP: Readonly<Record<string, string>> = {
  unauthorised: "answered over HTTP to a client that was given no token to name",
  unknown_trace: "answered over HTTP; on the command line it has a hint",
  store_busy: "of the trace store: a count of lost traces, on which no command can act",
};

test("a refusal says what to do next: where it is made, by its code, or by the help of its command", () => {
  const silent = readSources().flatMap(({ path, text }) =>
    listRefusals(text)
      .filter(({ body }) => !/\bhint\b/.test(body))
      .map(({ code }) => ({ path, code })),
  );
  expect(silent.length).toBeGreaterThan(50);
  const stuck = silent.filter(({ code }) => {
    if (!(code in ERROR_TABLE)) throw new Error(`no code ${code}`);
    const isUsage = ERROR_TABLE[code as keyof typeof ERROR_TABLE].category === "usage";
    return !isUsage && !(code in NEXT_STEPS) && !(code in LAST_STEPS) && !(code in NO_NEXT_STEP);
  });
  expect(stuck).toEqual([]);
});

/** Where a refusal or error is written down: its code, and the text of its parts. */
function listRefusals(text: string): readonly { readonly code: string; readonly body: string }[] {
  return [...text.matchAll(/\b(?:refuse|LoopxError)\(\s*"(\w+)",\s*\{/g)].map((match) => {
    const start = match.index + match[0].length;
    let depth = 1;
    let end = start;
    for (; depth > 0 && end < text.length; end += 1) {
      if (text[end] === "{") depth += 1;
      if (text[end] === "}") depth -= 1;
    }
    return { code: match[1] ?? "", body: text.slice(start, end) };
  });
}

function readSources(): readonly { readonly path: string; readonly text: string }[] {
  return readdirSync(join(root, "packages"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && entry.parentPath.includes("src"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.endsWith("contracts/src/errors.ts") && !path.includes("node_modules"))
    .map((path) => ({ path: path.slice(root.length + 1), text: readFileSync(path, "utf8") }));
}

test("every error code is used", () => {
  const sources = readSources()
    .map(({ text }) => text)
    .join("\n");
  const unused = Object.keys(ERROR_TABLE).filter((code) => !sources.includes(`"${code}"`));
  expect(unused).toEqual([]);
});
