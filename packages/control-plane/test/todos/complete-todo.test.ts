import { describe, expect, test } from "vitest";
import { findEvidenceOfTurn, newGate, type ValidationResult } from "../../src/index.ts";
import {
  a1,
  a2,
  accepted,
  GOAL,
  HOUR_MS,
  openSecond,
  openWorld,
  owner,
  unnamedProcess,
  refusalOf,
  TTL_MS,
} from "../control-plane-world.ts";
import { contentOf, rowsOf } from "../store-content.ts";

const PASSED: ValidationResult = {
  status: "passed",
  label: null,
  exit_code: 0,
  timed_out: false,
  ran_in: "root",
  output: "ok",
};
const command = { argv: ["npm", "test"], label: null, timeout_ms: 1000 };

describe("completeTodo", () => {
  test("an agent shows evidence; text, a file or an earlier record will do", async () => {
    const world = await openWorld();
    await world.add("stays");
    const file = { path: "report.md", sha256: "0".repeat(64), bytes: 3 };
    const one = await world.add("one");
    const before = await contentOf(world.project);
    expect(await refusalOf(world.complete(one.id, { evidence: null }))).toBe("evidence_required");
    expect(await contentOf(world.project)).toEqual(before);
    accepted(await world.complete(one.id, { evidence: "ran it" }));
    const two = await world.add("two");
    accepted(await world.complete(two.id, { evidence: null, files: [file] }));
    const three = await world.add("three");
    accepted(await world.show("a1", null, { todoId: three.id }));
    accepted(await world.complete(three.id, { evidence: null }));
    const evidence = await rowsOf(world.project, "evidence", "evidence_id");
    expect(evidence.map((row) => [row["todo_id"], row["text"], row["files"]])).toEqual([
      [one.id, "ran it", "[]"],
      [two.id, "", JSON.stringify([file])],
      [three.id, "ran the tests", "[]"],
    ]);
  });

  test("what is completed during the agent's own turn is that turn's, named or not", async () => {
    const world = await openWorld();
    await world.add("one");
    await world.add("two");
    const first = await world.run("a1");
    accepted(await world.complete(first.todoId, { evidence: "ran it" }));
    accepted(await world.spend("a1", first.turnId));
    const second = await world.run("a1");
    accepted(await world.show("a1", null, { todoId: second.todoId }));
    accepted(await world.complete(second.todoId, { evidence: null }));
    accepted(await world.spend("a1", second.turnId));
    const turns = await rowsOf(world.project, "turns", "opened_at");
    expect(turns.map((turn) => turn["state"])).toEqual(["settled", "settled"]);
  });

  test("an owner completes without evidence, whoever holds it", async () => {
    const world = await openWorld();
    const { id } = await world.add("work", { claimedBy: "a2" });
    expect(await refusalOf(world.complete(id, { caller: a1 }))).toBe("todo_claimed_by_other");
    expect(await refusalOf(world.complete(id, { caller: unnamedProcess }))).toBe("missing_flag");
    expect(accepted(await world.complete(id, { caller: owner, evidence: null })).todo.status).toBe("done");
  });

  test("completing again is already so and writes nothing", async () => {
    const world = await openWorld();
    await world.add("stays");
    const { id } = await world.add("work");
    const first = accepted(await world.complete(id));
    const before = await contentOf(world.project);
    world.ambient.advance(HOUR_MS);
    const again = accepted(await world.complete(id, { caller: a2, evidence: "other" }));
    expect([again.alreadyDone, again.todo]).toEqual([true, first.todo]);
    expect(await contentOf(world.project)).toEqual(before);
  });

  test("completing again may say again what follows, and nothing else", async () => {
    const world = await openWorld();
    await world.add("stays");
    const { id } = await world.add("work");
    const next = { kind: "next", text: "then this" } as const;
    const successor = accepted(await world.complete(id, { followUp: next })).nextTodo?.todo_id ?? "";
    const before = await contentOf(world.project);
    expect(accepted(await world.complete(id, { followUp: next })).alreadyDone).toBe(true);
    const same = { kind: "successor", todoId: successor } as const;
    expect(accepted(await world.complete(id, { followUp: same })).alreadyDone).toBe(true);
    for (const followUp of [
      { kind: "no_follow_up" },
      { kind: "next", text: "or that" },
      { kind: "successor", todoId: "todo_000001" },
    ] as const) {
      expect(await refusalOf(world.complete(id, { followUp }))).toBe("todo_not_open");
    }
    expect(await contentOf(world.project)).toEqual(before);
  });

  test("twenty completions at once complete once", async () => {
    const world = await openWorld();
    await world.add("stays");
    const { id } = await world.add("work");
    const second = await openSecond(world);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? world : second).complete(id)),
    );
    expect(answers.filter((answer) => answer.ok && !answer.alreadyDone)).toHaveLength(1);
    expect((await world.eventTypes()).filter((type) => type === "todo_completed.v1")).toHaveLength(1);
  });

  test("the todo's own validation command must have passed, just now and as it is", async () => {
    const world = await openWorld();
    await world.add("stays");
    const { id } = await world.add("work", { validation: command });
    const ran = (result: Partial<ValidationResult>, argv: readonly string[] = command.argv) => ({
      argv,
      result: { ...PASSED, ...result },
    });
    const before = await contentOf(world.project);
    const outcomes = [
      ["todo_changed", null],
      ["todo_changed", ran({}, ["npm", "run", "test"])],
      ["validation_failed", ran({ status: "failed", exit_code: 1 })],
      ["validation_failed", ran({ status: "failed", exit_code: null, timed_out: true })],
      ["validation_failed", ran({ status: "not_run", exit_code: null })],
    ] as const;
    for (const [code, validation] of outcomes) expect(await refusalOf(world.complete(id, { validation }))).toBe(code);
    expect(await contentOf(world.project)).toEqual(before);
    accepted(await world.complete(id, { validation: ran({}) }));
    const [evidence] = await rowsOf(world.project, "evidence");
    expect(JSON.parse(String(evidence?.["validation"]))).toEqual(PASSED);
  });

  test("the turn that holds the todo keeps the evidence; what is shown beyond it is the todo's", async () => {
    const world = await openWorld();
    await world.add("one");
    const first = await world.run("a1");
    accepted(await world.complete(first.todoId, { turnId: first.turnId, followUp: { kind: "next", text: "two" } }));
    const ofTurn = await world.project.read((tx) => findEvidenceOfTurn(tx, GOAL, first.turnId));
    expect([ofTurn?.todo_id, ofTurn?.text]).toEqual([first.todoId, "ran the tests"]);
    accepted(await world.spend("a1", first.turnId));

    const second = await world.run("a1");
    accepted(await world.show("a1", second.turnId, { text: "shown before" }));
    accepted(await world.complete(second.todoId, { turnId: second.turnId, evidence: "shown at the end" }));
    const rows = await rowsOf(world.project, "evidence", "evidence_id");
    expect(rows.map((row) => [row["turn_id"], row["text"]])).toEqual([
      [first.turnId, "ran the tests"],
      [second.turnId, "shown before"],
      [null, "shown at the end"],
    ]);
  });

  test("once the lease is lost to another, the earlier turn completes nothing, even when nobody holds it by then", async () => {
    const world = await openWorld();
    await world.add("work");
    const late = await world.run("a1");
    world.ambient.advance(TTL_MS);
    const now = await world.run("a2");
    expect(now.todoId).toBe(late.todoId);
    world.ambient.advance(TTL_MS);
    const before = await contentOf(world.project);
    expect(await refusalOf(world.complete(late.todoId, { turnId: late.turnId }))).toBe("lease_lost");
    expect(await refusalOf(world.complete(late.todoId, { turnId: now.turnId }))).toBe("lease_lost");
    expect(await refusalOf(world.complete(late.todoId, { turnId: "turn_999999" }))).toBe("unknown_turn");
    expect(await contentOf(world.project)).toEqual(before);
    expect(accepted(await world.complete(now.todoId, { caller: a2, turnId: now.turnId })).todo.status).toBe("done");
  });

  test("what may not run may not be completed either", async () => {
    const world = await openWorld();
    const action = await world.add("delete old branches", { action_kind: "destructive_git" });
    const first = await world.add("first");
    const second = await world.add("second", { depends_on: [first.id] });
    const later = await world.add("later", { resume: "manual" });
    expect(await refusalOf(world.complete(action.id))).toBe("todo_not_runnable");
    expect(await refusalOf(world.complete(second.id))).toBe("todo_not_runnable");
    expect(await refusalOf(world.complete(later.id))).toBe("todo_not_open");
    await world.decide(action.gate?.todo_id ?? "", "approve");
    accepted(await world.complete(action.id));
    accepted(await world.complete(first.id));
    accepted(await world.complete(second.id));
    accepted(await world.complete(later.id, { caller: owner }));
    expect((await world.goal()).status).toBe("completed");
  });

  test("a gate is decided, not completed; a person's action is completed by a person", async () => {
    const world = await openWorld();
    const gate = await world.add("may I?", {
      role: "user",
      task_class: "user_gate",
      gate: newGate("decision", ["goal"]),
    });
    const call = await world.add("call the bank", { role: "user", task_class: "user_action" });
    expect(await refusalOf(world.complete(gate.id, { caller: owner }))).toBe("todo_is_gate");
    expect(await refusalOf(world.complete(call.id))).toBe("gate_needs_owner");
    expect(accepted(await world.complete(call.id, { caller: owner })).todo.status).toBe("done");
  });

  test("the next todo is written in the same commit and inherits the priority, nothing else", async () => {
    const world = await openWorld();
    const { id } = await world.add("one", { priority: 0, validation: command, target_key: "site" });
    const ran = { argv: command.argv, result: PASSED };
    const done = accepted(await world.complete(id, { followUp: { kind: "next", text: "two" }, validation: ran }));
    expect(done.nextTodo).toMatchObject({
      text: "two",
      priority: 0,
      validation: null,
      target_key: null,
      created_by: "agent:a1",
    });
    expect([done.todo.completion, done.todo.successor_todo_id]).toEqual(["successor", done.nextTodo?.todo_id]);
    expect([done.completedGoal, (await world.goal()).status]).toEqual([null, "active"]);
  });

  test("a successor is a live todo of the goal, never the todo itself", async () => {
    const world = await openWorld();
    const { id } = await world.add("one");
    const other = await world.add("two");
    const follow = (todoId: string): Promise<string> =>
      refusalOf(world.complete(id, { followUp: { kind: "successor", todoId } }));
    expect(await follow("todo_999999")).toBe("unknown_todo");
    expect(await follow(id)).toBe("invalid_value");
    expect(await follow(other.id)).toBe("accepted");
    expect(await world.todo(id)).toMatchObject({ completion: "successor", successor_todo_id: other.id });
  });

  test("the goal completes with its last todo only by an explicit no-follow-up", async () => {
    const world = await openWorld();
    const one = await world.add("one");
    const two = await world.add("two");
    expect(accepted(await world.complete(one.id)).completedGoal).toBeNull();
    expect(accepted(await world.complete(two.id, { followUp: { kind: "open_ended" } })).completedGoal).toBeNull();
    expect((await world.next("a1")).decision).toEqual({ kind: "replan", turn: "open" });
    const three = await world.add("three");
    expect(accepted(await world.complete(three.id)).completedGoal?.status).toBe("completed");
    expect((await world.next("a1")).decision).toEqual({ kind: "done", reason: "goal_completed" });
  });

  for (const [what, more] of Object.entries({
    "a deferred todo": { resume: "manual" },
    "a person's action": { role: "user", task_class: "user_action" },
    "an open gate": { role: "user", task_class: "user_gate", gate: newGate("decision", ["agent:a2"]) },
  } as const)) {
    test(`${what} that is left keeps the goal open`, async () => {
      const world = await openWorld();
      const { id } = await world.add("work");
      await world.add("left", more);
      expect(accepted(await world.complete(id)).completedGoal).toBeNull();
      expect((await world.goal()).status).toBe("active");
    });
  }

  test("a gate that held only this todo closes with it and does not keep the goal open", async () => {
    const world = await openWorld();
    const { id, gate } = await world.add("push", { action_kind: "production" });
    const shared = newGate("decision", [id, "agent:a2"]);
    const other = await world.add("and this?", { role: "user", task_class: "user_gate", gate: shared });
    const done = accepted(await world.complete(id, { caller: owner }));
    expect((await world.todo(gate?.todo_id ?? "")).status).toBe("superseded");
    expect([(await world.todo(other.id)).status, done.completedGoal]).toEqual(["open", null]);
    expect(await refusalOf(world.decide(gate?.todo_id ?? "", "approve"))).toBe("unknown_gate");
  });

  test("a restricted action is completed with its gate, and the goal with both", async () => {
    const world = await openWorld();
    const { id } = await world.add("push", { action_kind: "production" });
    expect(accepted(await world.complete(id, { caller: owner })).completedGoal?.status).toBe("completed");
  });

  test("a credential in the evidence or the next todo is refused, nothing is stored", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    const before = await contentOf(world.project);
    expect(await refusalOf(world.complete(id, { evidence: secret }))).toBe("credential_refused");
    expect(await refusalOf(world.complete(id, { followUp: { kind: "next", text: secret } }))).toBe(
      "credential_refused",
    );
    expect(await contentOf(world.project)).toEqual(before);
  });
});
