import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { createOwnerToken } from "../../support/create-owner-token.ts";
import { createWorld, type World } from "../../support/cli-world.ts";
import { findContradictions, listRows, loadProjectState } from "../../support/project-state.ts";
import { readField, readText } from "../../support/read-field.ts";
import { createWorkingGoal, nameTurn, openTurn, type WorkingGoal } from "../../support/working-goal.ts";

const server = inject("postgres");

describe.skipIf(!("url" in server))("a project whose state a server keeps", () => {
  let goal: WorkingGoal;
  beforeEach(async () => {
    process.env["TESTED_STORE_URL"] = "url" in server ? server.url : "";
    goal = await createWorkingGoal(2);
  });
  afterEach(() => {
    delete process.env["TESTED_STORE_URL"];
    goal.world.remove();
  });

  test("a goal goes from its start to completed, through a gate, without a file of its state", async () => {
    const { world, goalId } = goal;
    const add = (...more: string[]): Promise<unknown> =>
      world.call(["todo", "add", `--goal-id=${goalId}`, "--agent-id=agent-1", ...more]);
    await add("--text=Write the parser", "--priority=P0");
    const last = await add("--text=Publish it", "--priority=P1");
    await add("--text=Draw a picture", `--depends-on=${readText(last, "todo", "todo_id")}`);
    for (const left of [2, 1, 0]) {
      const turn = nameTurn(goal, await openTurn(goal));
      await world.call(["refresh-state", ...turn, "--outcome=progress", "--evidence=12 tests pass"]);
      await world.call(["todo", "complete", ...turn, "--evidence=done", "--no-follow-up"]);
      await world.call(["quota", "spend", ...turn]);
      expect(readField(await world.call(["status"]), "todo_counts", "open") ?? 0).toBe(left);
    }
    expect(await world.call(["goal", "list"])).toMatchObject({ goals: [{ goal_id: goalId, status: "completed" }] });
    expect(await world.call(["quota", "status"])).toMatchObject({ used_turns: 3 });
    const history = await world.call(["history", `--goal-id=${goalId}`, "--limit=100"]);
    expect(JSON.stringify(history)).toContain("goal_completed.v1");
    const state = await loadProjectState(world);
    expect(listRows(state, "evidence").length).toBeGreaterThan(2);
    expect(findContradictions(state)).toEqual([]);
    expect(existsSync(join(world.project, ".loopx", "state.db"))).toBe(false);
  });

  test("every view answers, and the password is in no file and no answer", async () => {
    const { world, goalId } = goal;
    const password = new URL(world.env["LOOPX_STORE_URL"] ?? "").password;
    const reference = readFileSync(join(world.project, ".loopx", "store.json"), "utf8");
    expect(reference).toContain("postgresql://postgres@127.0.0.1");
    expect(reference).not.toContain(password);
    const views = [
      ["status"],
      ["todo", "list"],
      ["goal", "list"],
      ["goal", "show", `--goal-id=${goalId}`],
      ["history", `--goal-id=${goalId}`],
      ["export", "--output=state.jsonl"],
      ["doctor"],
      ["gate", "list"],
      ["quota", "status"],
      ["global-summary"],
      ["global-todos"],
      ["global-gates"],
      ["global-risks"],
      ["config", "list"],
      ["bootstrap-command-pack"],
    ];
    for (const view of views) {
      const { exitCode, stdout, stderr, json } = await world.run(view);
      expect([view, exitCode, readField(json, "error", "code"), stderr]).toEqual([view, 0, undefined, ""]);
      expect(stdout).not.toContain(password);
    }
  });

  test("an export goes into a project of files and back, and a backup is restored into the server", async () => {
    const { world, goalId } = goal;
    await world.call(["todo", "add", `--goal-id=${goalId}`, "--agent-id=agent-1", "--text=Write the parser"]);
    const token = await createOwnerToken(world);
    const backup = join(world.directory, "kept.db");
    await world.call(["backup", `--output=${backup}`]);
    await world.call(["todo", "add", `--goal-id=${goalId}`, "--agent-id=agent-1", "--text=Write the printer"]);
    const exported = await readRows(world, "after.jsonl");
    await world.call(["restore", `--from=${backup}`, "--execute", `--owner-token-file=${token}`]);
    expect(readField(await world.call(["status"]), "todo_counts", "open")).toBe(1);
    const other = createWorld();
    try {
      await other.call(["connect", "--objective=Another", "--goal-id=another"], { env: { LOOPX_STORE_URL: "" } });
      const otherToken = await createOwnerToken(other);
      const input = `--input=${join(world.project, "after.jsonl")}`;
      const options = { env: { LOOPX_STORE_URL: "" } };
      await other.call(["import", input, "--execute", `--owner-token-file=${otherToken}`], options);
      const again = await readRows(other, "again.jsonl", `--goal-id=${goalId}`);
      expect(again).toEqual(exported);
    } finally {
      other.remove();
    }
  });

  test("a gate that an agent opens holds the work it names", async () => {
    const { world, goalId } = goal;
    await world.call([
      ...[
        "todo",
        "add",
        `--goal-id=${goalId}`,
        "--agent-id=agent-1",
        "--text=Publish",
        "--action-kind=external_publication",
      ],
    ]);
    const asked = await world.call(["quota", "should-run", `--goal-id=${goalId}`, "--agent-id=agent-1"]);
    expect(readField(asked, "decision")).not.toBe("run");
    expect(await world.call(["gate", "list"])).toMatchObject({ ok: true });
  });
});

/** The rows of an export: all but its first line and its last, which say when and how many. */
async function readRows(world: World, name: string, ...more: string[]): Promise<readonly string[]> {
  await world.call(["export", `--output=${name}`, ...more]);
  return readFileSync(join(world.project, name), "utf8").trim().split("\n").slice(1, -1);
}
