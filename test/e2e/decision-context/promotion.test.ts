import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseShellWords } from "@loopx/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toFlagName } from "../../../packages/loopx/src/command-line/flag-name.ts";
import { listCommands } from "../../../packages/loopx/src/command-table/command-table.ts";
import { verifies } from "../../support/verifies.ts";
import { CANARIES, createRecallWorld, findTexts, type RecallWorld } from "../../support/recall-world.ts";

let world: RecallWorld;
let recalled: string;
beforeAll(async () => {
  world = await createRecallWorld();
  recalled = join(world.directory, "recalled.json");
  writeFileSync(recalled, JSON.stringify(await world.recall("what about the pilot")));
});
afterAll(() => world.remove());

/** They serve, run an agent, or hand a prompt on: none ends by itself or keeps a text. */
const NEVER_ENDING = ["mcp", "context serve", "drive", "hook", "workstation"];
/** Places that a command makes, and what shows an owner. */
const NOT_READ = ["output", "destination", "bindingDir", "store", "ownerTokenFile"];

const WRITERS = listCommands().filter(({ name, spec }) => spec.authority !== "read" && !NEVER_ENDING.includes(name));

describe("what was recalled becomes lasting only by a todo, evidence, a goal edit or a settled review", () => {
  test.each(WRITERS.map(({ name, spec }) => [name, spec] as const))(
    "%s takes no recall, as a file or on stdin",
    async (name, spec) => {
      verifies("advisory.promotion");
      const [, ...example] = parseShellWords((spec.examples[0] ?? "").replaceAll("$HOME", world.home));
      const words = example.map((word) => word.replace("repo-goal", "g1").replace("codex-main", "a1"));
      const files = Object.entries(spec.flags).filter(([key, flag]) => flag.type === "path" && !NOT_READ.includes(key));
      const named = files.map(([key]) => toFlagName(key));
      const kept = words.filter(
        (word, at) => !named.includes(word) && !named.includes(words[at - 1] ?? "") && word !== "--execute",
      );
      const isDry = !Object.hasOwn(spec.flags, "execute");
      const argv = [...kept, ...named.map((flag) => `${flag}=${recalled}`), ...(isDry ? [] : ["--execute"])];
      await world.run(argv, { input: JSON.stringify({ recalled: CANARIES.content }) });
      expect(findTexts(world.project, [CANARIES.content]), name).toEqual([]);
      expect(findTexts(world.home, [CANARIES.content]), name).toEqual([]);
    },
  );

  test("the documents of a review refuse it whole", async () => {
    for (const [command, flag] of [
      ["prepare-review", "rebase-json"],
      ["prepare-review", "proposal-json"],
    ] as const) {
      const answer = await world.decide(command, [`--${flag}=${recalled}`, "--execute"]);
      expect(answer).toMatchObject({ ok: false, error: { code: "invalid_value" } });
      expect(JSON.stringify(answer)).not.toContain(CANARIES.content);
    }
  });

  test("a claim that no authority says is refused, whatever recall said", async () => {
    const evidence = await world.decide("prepare-evidence", ["--query=pilot"]);
    const { source_scan_receipts: receipts, context_retrieval_receipt: recall } = evidence["assembly"] as {
      source_scan_receipts: { changes: { change_ref: string; revision_ref: string }[] }[];
      context_retrieval_receipt: { results: { provider_ref: string }[] };
    };
    const change = receipts[0]?.changes[0];
    const rebase = join(world.directory, "rebase.json");
    const claim = {
      claim_id: "c1",
      summary: "The pilot is bounded",
      provider_ref: recall.results[0]?.provider_ref,
      source_ref: change?.change_ref,
      source_revision: change?.revision_ref,
      observed_at: "2026-12-01T00:00:00Z",
      exact_read_verified: true,
    };
    writeFileSync(rebase, JSON.stringify({ recalled_claims: [claim] }));
    const answer = await world.decide("prepare-review", ["--query=pilot", `--rebase-json=${rebase}`, "--execute"]);
    expect(JSON.stringify(answer)).toContain("is not what the authority says");
  });
});
