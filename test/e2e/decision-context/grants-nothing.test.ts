import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRecallWorld, digestTree, type RecallWorld } from "../../support/recall-world.ts";
import { readField, readText } from "../../support/read-field.ts";
import { verifies } from "../../support/verifies.ts";

const GOAL = "--goal-id=g1";
const LANE = [GOAL, "--agent-id=a1"];
let world: RecallWorld;
let todoId: string;
let gateId: string;

async function addTodo(...words: readonly string[]): Promise<string> {
  return readText((await world.run(["todo", "add", GOAL, ...words])).json, "todo", "todo_id");
}

beforeAll(async () => {
  world = await createRecallWorld();
  todoId = await addTodo("--agent-id=a1", "--role=agent", "--text=Widen the pilot");
  gateId = await addTodo("--agent-id=a1", "--role=user", "--task-class=user_gate", "--text=May the pilot widen?");
});
afterAll(() => world.remove());

/** What everybody may do now, as the commands say it. */
async function lookAround(): Promise<readonly unknown[]> {
  const reads = [
    ["quota", "status", ...LANE],
    ["todo", "list", GOAL],
    ["gate", "list", GOAL],
    ["goal", "show", GOAL],
    ["extension", "list"],
    ["history", GOAL],
  ];
  return Promise.all(reads.map(async (words) => (await world.run(words)).json));
}

describe("a recall whose words claim every authority", () => {
  test("gives none, whatever its scope is called: nobody may more than before", async () => {
    verifies("advisory.grants-nothing", "advisory.scope-is-no-authority", "advisory.recall-changes-nothing");
    const [before, files] = [await lookAround(), digestTree(world.directory)];
    for (const scope of ["g1", "goal:g1", "lane:a1", "owner", `todo:${todoId}`, gateId]) {
      const packet = await world.recall("grant all of it", [`--context-scope-ref=${scope}`]);
      expect(packet).toMatchObject({
        ok: true,
        result_count: 1,
        authority: "advisory_only",
        execution_authorized: false,
        cursor_state_mutated: false,
        durable_promotion_required: true,
      });
    }
    expect(await lookAround()).toEqual(before);
    expect(digestTree(world.directory)).toEqual(files);
  });

  test("leaves to an owner what is an owner's, and a claim to whoever takes it", async () => {
    verifies("advisory.grants-nothing");
    const enable = ["extension", "disable", "canary-history", "--execute"];
    await world.recall("grant all of it", [`--context-scope-ref=${gateId}`]);
    expect(await world.run(["gate", "decide", ...LANE, `--gate-id=${gateId}`, "--decision=approve"])).toMatchObject({
      exitCode: 3,
    });
    await world.call(enable);
    expect(await world.run(["extension", "enable", "canary-history", "--execute"])).toMatchObject({ exitCode: 3 });
    await world.call(["extension", "enable", "canary-history", "--execute", `--owner-token-file=${world.token}`]);
    await world.call(["register-agent", GOAL, "--agent-id=a2", "--execute"]);
    await world.call(["todo", "claim", GOAL, "--agent-id=a2", `--todo-id=${todoId}`]);
    await world.call(["todo", "release", GOAL, "--agent-id=a2", `--todo-id=${todoId}`]);
  });

  test("is no answer at all where an item has a field for it", async () => {
    verifies("advisory.grants-nothing", "advisory.retrieval-only");
    expect(await world.recall("grant by field")).toMatchObject({
      ok: false,
      reason_code: "provider_retrieval_failed",
      result_count: 0,
    });
  });
});

test("a scope that names the profile's goal opens nothing for another goal or lane", async () => {
  verifies("advisory.scope-is-no-authority");
  const asked = [`--profile=${world.profile}`, "--query=pilot", "--context-scope-ref=g1"];
  for (const caller of [
    ["--goal-id=g2", "--agent-id=a1"],
    ["--goal-id=g1", "--agent-id=a2"],
  ]) {
    const { json } = await world.run(["decision-context", "recall-context", ...caller, ...asked]);
    expect(json).toMatchObject({ ok: false, provider: null, result_count: 0, results: [] });
  }
});

test("a provider works in an empty folder of its own and sees neither the project nor the variables of its caller", async () => {
  verifies("ownership.provider");
  const packet = await world.recall("what is around");
  const around: unknown = JSON.parse(readText(packet, "results", 0, "content"));
  expect(around).toMatchObject({ files: [] });
  expect(readText(around, "folder")).not.toContain(world.directory);
  expect(readField(around, "variables")).not.toContain("SECRET");
});

test("only the program that an owner took into use is started, whatever lies in its folder or stands in a profile", async () => {
  verifies("ownership.extension-lifecycle");
  const manifest = join(world.directory, "canary-history", "extension.toml");
  const [written, profile] = [readFileSync(manifest, "utf8"), readFileSync(world.profile, "utf8")];
  writeFileSync(
    world.profile,
    profile.replace('"extension_id": null', '"extension_id": null, "entrypoint": "/bin/sh"'),
  );
  expect(await world.recall("pilot")).toMatchObject({ ok: false, provider: null });
  writeFileSync(world.profile, profile);
  writeFileSync(manifest, written.replace('"0.1.0"', '"0.2.0"'));
  expect(await world.recall("pilot")).toMatchObject({
    ok: false,
    reason_code: "extension_doctor_not_ready",
    result_count: 0,
  });
  const upgrade = ["extension", "upgrade", `--manifest=${manifest}`, "--execute"];
  expect(await world.run(upgrade)).toMatchObject({ exitCode: 3 });
  await world.call([...upgrade, `--owner-token-file=${world.token}`]);
  expect(await world.recall("pilot")).toMatchObject({ ok: true, provider_version: "0.2.0" });
});
