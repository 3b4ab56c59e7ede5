import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chainClaude } from "./claude-record.ts";
import { codexAgent, codexUser, createHistoryHome, type HistoryHome } from "./history-world.ts";

/** Ids that begin, end and continue like one another: what a search by prefix, by ending or without case would mix up. */
const FAMILIES = ["019e8951-3e7d-7343-a3e3-05bff48a31", "thread", "a.b", "A-B"];
const SAMPLE = FAMILIES.flatMap((family) =>
  Array.from({ length: 25 }, (_, at) => (at % 2 === 0 ? `${family}${at}` : `${family}${at - 1}-${family}${at}`)),
);

let home: HistoryHome;
beforeAll(() => {
  home = createHistoryHome();
  for (const id of SAMPLE) {
    home.writeCodex(id, [codexUser(`The pilot of codex ${id}.`), codexAgent("The pilot again.")]);
    home.writeClaude(id, [chainClaude(id).say("user", `The pilot of claude-code ${id}.`)], `-project-${id.length}`);
  }
});
afterAll(() => home.remove());

describe("a labelled sample of 200 sessions with shared prefixes", () => {
  test("has 200 different sessions, whose ids hold one another", () => {
    expect(new Set(SAMPLE).size * 2).toBe(200);
    const held = SAMPLE.filter((id) => SAMPLE.some((other) => other !== id && other.includes(id)));
    expect(held.length).toBeGreaterThan(40);
  });

  test.each(["codex", "claude-code"])("each of %s gives its own messages and no other's", async (family) => {
    for (const id of SAMPLE) {
      const answer = await home.recall(`host-session:${family}:${id}`, `pilot of ${family} ${SAMPLE.join(" ")}`);
      const items = "reasonCode" in answer ? [] : answer;
      expect(items.map(({ content }) => content)).toContain(`The pilot of ${family} ${id}.`);
      expect(items).toHaveLength(family === "codex" ? 2 : 1);
      for (const { resource_ref } of items) expect(resource_ref.startsWith(`${family}:${id}:`)).toBe(true);
    }
  });

  test("an id that only begins, ends or differs in case like one of them is not found", async () => {
    for (const id of ["019e8951-3e7d-7343-a3e3-05bff48a31", "thread", "hread0", "THREAD0", "0", "a.b0-", "jsonl"])
      for (const family of ["codex", "claude-code"])
        expect(await home.recall(`host-session:${family}:${id}`, "pilot")).toEqual({ reasonCode: "session_not_found" });
  });

  test("nothing is written, whatever is asked", async () => {
    const before = digestTree(home.folder);
    await home.recall(`host-session:codex:${SAMPLE[0]}`, "pilot");
    await home.recall("host-session:claude-code:missing", "pilot");
    expect(digestTree(home.folder)).toBe(before);
  });
});

function digestTree(folder: string): string {
  const hash = createHash("sha256");
  for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()) {
    const path = join(folder, entry);
    const { mtimeMs } = statSync(path);
    hash.update(`${entry} ${mtimeMs}\n`);
    if (statSync(path).isFile()) hash.update(readFileSync(path));
  }
  return hash.digest("hex");
}
