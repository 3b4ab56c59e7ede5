import type { Instant } from "@loopx/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { archiveTodos, decideNext, newGate } from "../../src/index.ts";
import { selectClassified } from "../../src/decision/candidate-class.ts";
import { findHold, type HoldFacts } from "../../src/decision/runnable-todo.ts";
import type { CandidateTodo } from "../../src/index.ts";
import { rowsOf } from "../store-content.ts";
import { accepted, GOAL, openWorld, owner, START, type World } from "../control-plane-world.ts";
import { randomCommands, runCommand } from "../random-commands.ts";
import { expectSameDecisions, loadAllFacts, loadFacts, toTold } from "./decide-from-all.ts";

const CLASS_OF = {
  nothing: "runnable",
  gate: "gated",
  missing_gate: "missing_gate",
  blocked: "blocked",
  dependency: "waits",
  not_due: "not_due",
  deferred: "put_off",
} as const;

function toClass(todo: CandidateTodo, facts: HoldFacts, now: Instant): string {
  const hold = findHold(todo, facts, now);
  if (hold.by === "claim") {
    const isEarly = todo.due_at !== null && todo.due_at > now;
    return `${isEarly ? "claimed_not_due" : "claimed"}:${todo.claimed_by}`;
  }
  if (hold.by === "deferred") return hold.until === null ? "put_off" : "put_off_until";
  return CLASS_OF[hold.by];
}

describe("loadDecisionFacts", () => {
  test("finds the open turn of a lane whose clock went back, behind all its latest ones", async () => {
    const world = await openWorld();
    await world.add("work");
    const { turnId } = await world.run("a1");
    await world.project.write(async (tx) => {
      for (let hour = 1; hour < 10; hour += 1) {
        const at = `2026-03-02T0${hour}:00:00.000Z`;
        await tx.run(
          "INSERT INTO turns (goal_id, turn_id, agent_id, todo_id, state, holder, claim_epoch, lease_expires_at, opened_at, closed_at) " +
            "VALUES (?, ?, 'a1', 'replan', 'settled', NULL, 1, ?, ?, ?)",
          GOAL,
          `turn_later${hour}`,
          at,
          at,
          at,
        );
      }
    });
    expect((await loadFacts(world, "a1")).openTurn?.turn_id).toBe(turnId);
  });

  test("what it leaves out never changes the decision", async () => {
    const kinds = new Map<string, number>();
    const check = async (commands: readonly Parameters<typeof runCommand>[1][]): Promise<void> => {
      const world = await openWorld();
      for (const command of commands) {
        await runCommand(world, command);
        for (const agentId of ["a1", "a2"]) {
          const decided = decideNext(await loadFacts(world, agentId), world.ambient.now());
          const all = decideNext(await loadAllFacts(world, agentId), world.ambient.now());
          expect(toTold(decided)).toEqual(toTold(all));
          kinds.set(decided.decision.kind, (kinds.get(decided.decision.kind) ?? 0) + 1);
        }
      }
    };
    await fc.assert(fc.asyncProperty(randomCommands, check), { numRuns: 25, seed: 11 });
    for (const kind of ["run", "ask_user", "wait", "paused"]) expect(kinds.get(kind) ?? 0).toBeGreaterThan(10);
  });

  test("the class that the database tells of each todo is what findHold says of it", async () => {
    const seen = new Set<string>();
    const check = async (commands: readonly Parameters<typeof runCommand>[1][]): Promise<void> => {
      const world = await openWorld();
      for (const command of commands) {
        await runCommand(world, command);
        const now = world.ambient.now();
        const classified = selectClassified(GOAL, now);
        const rows = await world.project.read((tx) =>
          tx.all<{ todo_id: string; class: string }>(
            `SELECT todo_id, class FROM (${classified.sql}) classified`,
            ...classified.parameters,
          ),
        );
        // A third lane, that no claim and no gate names: what holds everybody is not a todo's own class.
        const facts = { ...(await loadAllFacts(world, "a1")), agentId: "a3" };
        const named = facts.gates.map((gate) => ({ ...gate, blocks: gate.blocks.filter((id) => id !== "goal") }));
        const work = facts.todos.filter((todo) => todo.role === "agent");
        const told = work.map((todo) => [todo.todo_id, toClass(todo, { ...facts, gates: named }, now)] as const);
        expect(Object.fromEntries(rows.map((row) => [row.todo_id, row.class]))).toEqual(Object.fromEntries(told));
        for (const row of rows) seen.add(row.class.replace(/:.*/, ""));
      }
    };
    await fc.assert(fc.asyncProperty(randomCommands, check), { numRuns: 25, seed: 5 });
    const all = ["blocked", "claimed", "gated", "missing_gate", "put_off", "put_off_until", "runnable", "waits"];
    expect([...seen].filter((name) => !name.endsWith("not_due")).toSorted()).toEqual(all);
  });

  test("a goal of 40,000 gates is decided: no statement names them one by one", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    const gate = newGate("decision", [id]);
    const { id: gateId } = await world.add("may I?", { role: "user", task_class: "user_gate", gate });
    const count = 40_000;
    for (const [table, key] of [
      ["todos", "todo_id"],
      ["gate_targets", "gate_id"],
    ] as const) {
      const [row] = await rowsOf(world.project, table, "position DESC");
      const names = Object.keys(row ?? {});
      const values = names.map((name) => ({ [key]: "'todo_many' || i", position: "i + 10" })[name] ?? name);
      await world.project.write((tx) =>
        tx.run(
          `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) ` +
            `INSERT INTO ${table} (${names.join(", ")}) SELECT ${values.join(", ")} FROM n, ${table} WHERE ${key} = ?`,
          gateId,
        ),
      );
    }
    const { decision } = await world.next("a1");
    expect(decision).toMatchObject({ kind: "ask_user", reason: "gate", moreCount: count - 4 });
    expect((await loadFacts(world, "a1")).gates.length).toBeLessThan(8);
    accepted(await world.complete(id, { caller: owner }));
    expect((await world.todo(`todo_many${count}`)).status).toBe("superseded");
  });

  const obstacles: Record<string, (world: World) => Promise<unknown>> = {
    "a blocked todo": async (world) => {
      await world.add("stuck", { priority: 0 });
      const { turnId } = await world.run("a1");
      accepted(await world.show("a1", turnId, { outcome: "blocked" }));
      accepted(await world.spend("a1", turnId));
    },
    "a deferred todo": (world) => world.add("later", { priority: 0, resume: "manual" }),
    "a deferred todo that is ready": (world) => world.add("now", { priority: 3, resume: `after:${START}` }),
    "a todo with a dependency": async (world) => {
      const needed = await world.add("call the bank", { role: "user", task_class: "user_action" });
      await world.add("then this", { priority: 0, depends_on: [needed.id] });
    },
    "another agent's todo": (world) => world.add("theirs", { priority: 0, claimedBy: "a2" }),
    "my own todo": (world) => world.add("mine", { priority: 3, claimedBy: "a1" }),
    "a monitor that is not due": async (world) => {
      await world.add("watch", { priority: 0, task_class: "monitor", cadence_ms: 60_000 });
      const { turnId } = await world.run("a1");
      accepted(await world.show("a1", turnId));
      accepted(await world.spend("a1", turnId));
    },
    "a restricted action": (world) => world.add("push", { priority: 0, action_kind: "production" }),
    "a todo that a gate names": async (world) => {
      const { id } = await world.add("held", { priority: 0 });
      await world.add("may I?", { role: "user", task_class: "user_gate", gate: newGate("decision", [id]) });
    },
  };
  for (const [name, prepare] of Object.entries(obstacles)) {
    test(`${name}, alone and before plain work, is decided as from all facts`, async () => {
      const world = await openWorld();
      await prepare(world);
      for (const plain of [[], ["plain"], ["plainer"]]) {
        for (const text of plain) await world.add(text);
        await expectSameDecisions(world);
      }
    });
  }

  test("of any number of plain todos, one is read", async () => {
    const world = await openWorld();
    for (let count = 0; count < 30; count += 1) await world.add(`plain ${count}`);
    const urgent = await world.add("urgent", { priority: 0 });
    expect((await loadFacts(world, "a1")).todos.map((todo) => todo.todo_id)).toEqual([urgent.id]);
    expect((await world.run("a1")).todoId).toBe(urgent.id);
  });

  test("a diamond of 300 todos is answered from its edges: each todo has its own unmet ones, not all below it", async () => {
    const world = await openWorld();
    let bottom: readonly string[] = [];
    for (let layer = 0; layer < 100; layer += 1) {
      const left = await world.add(`left ${layer}`, { depends_on: bottom });
      const right = await world.add(`right ${layer}`, { depends_on: bottom });
      bottom = [(await world.add(`join ${layer}`, { depends_on: [left.id, right.id] })).id];
    }
    const facts = await loadFacts(world, "a1");
    expect(Math.max(...facts.todos.map((todo) => todo.unmet_dependencies.length))).toBe(2);
    expect((await world.run("a1")).todoId).toBe("todo_000001");
  });

  test("an archived approval still stands", async () => {
    const world = await openWorld();
    const { id, gate } = await world.add("push", { action_kind: "production" });
    accepted(await world.decide(gate?.todo_id ?? "", "approve"));
    const request = { goalId: GOAL, caller: owner, todoIds: null };
    expect(accepted(await archiveTodos(world.project, request, world.ambient)).archivedIds).toEqual([gate?.todo_id]);
    expect((await world.run("a1")).todoId).toBe(id);
  });
});
