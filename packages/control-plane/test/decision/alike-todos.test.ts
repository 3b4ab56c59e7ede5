import { addMs, type Instant } from "@loopx/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newGate, type GateVerdict, type TodoDraft } from "../../src/index.ts";
import { accepted, MINUTE_MS, openWorld, START, type World } from "../control-plane-world.ts";
import { expectSameDecisions, loadFacts } from "./decide-from-all.ts";

/** Todos of one kind: `index` counts them; what is set beyond a command's reach is set in the row. */
interface Alike {
  readonly draft?: (world: World, index: number) => Promise<Parameters<World["add"]>[1]>;
  readonly row?: (index: number) => Readonly<Record<string, string | number>>;
  readonly gate?: (id: string) => TodoDraft["gate"];
  readonly verdict?: GateVerdict;
  /** What a1 is answered, and how many todos are read at most. */
  readonly answer: object;
  readonly read: number;
}
const minutes = (count: number): Instant => addMs(START, count * MINUTE_MS);
const action = (world: World, index: number): Promise<{ readonly id: string }> =>
  world.add(`call ${index}`, { role: "user", task_class: "user_action", priority: 4 - (index % 5) });
const kindsOfTodos: Record<string, Alike> = {
  blocked: {
    row: () => ({ status: "blocked" }),
    answer: { kind: "ask_user", reason: "blocked", moreCount: 7 },
    read: 5,
  },
  "without their gate": {
    row: () => ({ action_kind: "production" }),
    answer: { kind: "ask_user", reason: "blocked", moreCount: 7 },
    read: 5,
  },
  "claimed by another": {
    row: (index) => ({ claimed_by: "a2", claim_epoch: 1, claim_expires_at: minutes(90 - 5 * (index % 7)) }),
    answer: { kind: "wait", reason: "claimed_by_others", until: minutes(60) },
    read: 2,
  },
  "claimed by another, monitors that are not due": {
    row: (index) => ({
      claimed_by: "a2",
      claim_epoch: 1,
      claim_expires_at: minutes(90 - 5 * (index % 7)),
      due_at: minutes(10 + (index % 5)),
    }),
    answer: { kind: "wait", reason: "claimed_by_others", until: minutes(60) },
    read: 7,
  },
  "claimed by another for longer than any lease": {
    row: () => ({ claimed_by: "a2", claim_epoch: 1, claim_expires_at: minutes(1441) }),
    answer: { kind: "run", selectedBy: "priority" },
    read: 1,
  },
  "my own": {
    row: (index) => ({ claimed_by: "a1", claim_epoch: 1, claim_expires_at: minutes(90), priority: 4 - (index % 4) }),
    answer: { kind: "run", selectedBy: "my_claim" },
    read: 6,
  },
  "my own, some not due": {
    row: (index) => ({
      claimed_by: "a1",
      claim_epoch: 1,
      claim_expires_at: minutes(90),
      ...(index === 11 ? {} : { due_at: minutes(30) }),
    }),
    answer: { kind: "run", selectedBy: "my_claim" },
    read: 7,
  },
  "put aside": {
    row: () => ({ status: "deferred", resume: "manual" }),
    answer: { kind: "wait", reason: "deferred_manual", until: null },
    read: 5,
  },
  "put aside until different times": {
    row: (index) => ({ status: "deferred", resume: `after:${minutes(90 - 5 * (index % 7))}` }),
    answer: { kind: "wait", reason: "deferred_until", until: minutes(60) },
    read: 6,
  },
  "put aside until a time that came": {
    row: (index) => ({ status: "deferred", resume: `after:${minutes(-index)}`, priority: 4 - (index % 4) }),
    answer: { kind: "run", selectedBy: "priority" },
    read: 5,
  },
  "put aside until another is done": {
    draft: async (world) => ({ resume: `todo_done:${(await world.add("first", { resume: "manual" })).id}` }),
    answer: { kind: "wait", reason: "deferred_manual", until: null },
    read: 5,
  },
  "not due": {
    row: (index) => ({ task_class: "monitor", due_at: minutes(90 - 5 * (index % 7)) }),
    answer: { kind: "wait", reason: "monitor_not_due", until: minutes(60) },
    read: 6,
  },
  "waiting for one person's action": {
    draft: async (world) => ({ depends_on: [(await action(world, 0)).id] }),
    answer: { kind: "ask_user", reason: "user_action" },
    read: 6,
  },
  "waiting for an action each": {
    draft: async (world, index) => ({ depends_on: [(await action(world, index)).id] }),
    answer: { kind: "ask_user", reason: "user_action", moreCount: 7 },
    read: 15,
  },
  "waiting for a gate that holds nothing": {
    draft: async (world, index) => ({
      depends_on: [
        (
          await world.add(`may I? ${index}`, {
            role: "user",
            task_class: "user_gate",
            gate: newGate("decision", []),
          })
        ).id,
      ],
    }),
    answer: { kind: "ask_user", reason: "blocked", moreCount: 7 },
    read: 5,
  },
  "under a gate each": {
    gate: (id) => newGate("decision", [id]),
    answer: { kind: "ask_user", reason: "gate" },
    read: 5,
  },
  "under a rejected gate each": {
    gate: (id) => newGate("decision", [id]),
    verdict: "reject",
    answer: { kind: "ask_user", reason: "blocked" },
    read: 5,
  },
  "under an approved gate each": {
    row: (index) => ({ action_kind: "production", priority: 4 - (index % 4) }),
    gate: (id) => newGate("production", [id]),
    verdict: "approve",
    answer: { kind: "run", selectedBy: "priority" },
    read: 5,
  },
  "under an approved gate of another kind each": {
    row: () => ({ action_kind: "production" }),
    gate: (id) => newGate("credentials", [id]),
    verdict: "approve",
    answer: { kind: "ask_user", reason: "blocked", moreCount: 7 },
    read: 5,
  },
  "a person's": {
    draft: async () => ({ role: "user", task_class: "user_action" }),
    answer: { kind: "replan" },
    read: 0,
  },
};

async function addAlike(world: World, alike: Alike, name = "alike"): Promise<void> {
  for (let index = 0; index < 12; index += 1) {
    const { id } = await world.add(`${name} ${index}`, (await alike.draft?.(world, index)) ?? {});
    for (const [column, value] of Object.entries(alike.row?.(index) ?? {})) {
      await world.project.write((tx) => tx.run(`UPDATE todos SET ${column} = ? WHERE todo_id = ?`, value, id));
    }
    if (alike.gate === undefined) continue;
    const asks = { role: "user", task_class: "user_gate", gate: alike.gate(id) } as const;
    const gate = await world.add(`may I do ${name} ${index}?`, asks);
    if (alike.verdict !== undefined) accepted(await world.decide(gate.id, alike.verdict));
  }
}

describe("of many todos that the decision cannot tell apart few are read", () => {
  for (const [name, alike] of Object.entries(kindsOfTodos)) {
    test(`of twelve todos ${name}, at most ${alike.read} are read and the decision is as from all`, async () => {
      const world = await openWorld();
      await addAlike(world, alike);
      expect(await expectSameDecisions(world)).toMatchObject(alike.answer);
      expect((await loadFacts(world, "a1")).todos.length).toBeLessThanOrEqual(alike.read);
      await world.add("last", { priority: 4 });
      await expectSameDecisions(world);
      await world.add("may I go on?", { role: "user", task_class: "user_gate", gate: newGate("decision", ["goal"]) });
      await expectSameDecisions(world);
    });
  }

  test("kinds of todos mixed in any way are decided as from all", async () => {
    const names = Object.keys(kindsOfTodos);
    const mixed = fc.uniqueArray(fc.constantFrom(...names), { minLength: 2, maxLength: 4 });
    const check = async (chosen: readonly string[]): Promise<void> => {
      const world = await openWorld();
      for (const name of chosen) {
        const alike = kindsOfTodos[name];
        if (alike !== undefined) await addAlike(world, alike, name);
      }
      await expectSameDecisions(world);
      world.ambient.advance(61 * MINUTE_MS);
      await expectSameDecisions(world);
    };
    await fc.assert(fc.asyncProperty(mixed, check), { numRuns: 8, seed: 7 });
  });
});
