import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWorld, type World } from "../../support/cli-world.ts";
import { createOwnerToken } from "../../support/create-owner-token.ts";
import { readField } from "../../support/read-field.ts";
import { runProgram } from "../../support/run-program.ts";

const DECISION = "The zebra ledger closes on Friday.";
const FIRST = "019e8951-3e7d-7343-a3e3-05bff48a317d";
const SECOND = "019e8a02-11aa-7c3e-9d10-6a51c2f0b7de";
const LANE = ["--goal-id=g1", "--agent-id=a1"];

let world: World;
let profile: string;
beforeAll(async () => {
  world = createWorld();
  const token = await createOwnerToken(world);
  profile = join(world.home, "decisions.json");
  const owner = ["--execute", `--owner-token-file=${token}`];
  await world.call(["extension", "install", "--bundled=session-history", ...owner]);
  await world.call(["decision-context", "init-profile", ...LANE, `--output=${profile}`, "--execute"]);
});
afterAll(() => world.remove());

function writeSession(id: string, messages: readonly string[]): void {
  const folder = join(world.home, ".codex", "sessions");
  mkdirSync(folder, { recursive: true });
  const timestamp = "2026-11-29T10:00:00Z";
  const records = [
    { timestamp, type: "session_meta", payload: { id, timestamp } },
    ...messages.map((message) => ({ timestamp, type: "event_msg", payload: { type: "agent_message", message } })),
  ];
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  writeFileSync(join(folder, `rollout-2026-11-29T10-00-00-${id}.jsonl`), text);
}

/** What an agent sees of a recall, as text or as JSON. */
async function show(id: string, format: "text" | "json"): Promise<string> {
  const words = [`--format=${format}`, "decision-context", "recall-context", ...LANE, `--profile=${profile}`];
  const argv = [world.program, ...words, `--thread-link=codex://threads/${id}`, "--query=zebra ledger"];
  const { stdout } = await runProgram(process.execPath, argv, { cwd: world.project, env: world.env });
  return stdout;
}

test("a session that repeats an earlier recall, as text or as JSON, does not return it as its own words", async () => {
  writeSession(FIRST, [DECISION]);
  const [text, json] = [await show(FIRST, "text"), await show(FIRST, "json")];
  expect(text).toContain(DECISION);
  expect(json).toContain(DECISION);
  const block = text.slice(text.indexOf("[[loopx-data recall"), text.lastIndexOf("]]") + 2);
  const own = "I would close the zebra ledger on Monday.";
  writeSession(SECOND, [
    text,
    json,
    `It was said before:\n\n${block}\n\nSo the zebra ledger closes on Friday.`,
    `\`\`\`json\n${JSON.stringify(JSON.parse(json), null, 2)}\n\`\`\``,
    own,
  ]);
  const again: unknown = JSON.parse(await show(SECOND, "json"));
  const results = readField(again, "results") as readonly { readonly content: string }[];
  expect(results.map(({ content }) => content)).toEqual([own]);
});
