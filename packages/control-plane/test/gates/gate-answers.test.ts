import { expect, test } from "vitest";
import { newGate } from "../../src/index.ts";
import { accepted, openWorld, type World } from "../control-plane-world.ts";

const ask = (world: World, text: string, blocks: readonly string[]) =>
  world.add(text, { role: "user", task_class: "user_gate", gate: newGate("decision", blocks) });

const answersOf = async (world: World, agentId: string) =>
  (await world.next(agentId)).answers.map((gate) => [gate.text, gate.reason]);

test("what an owner said with an approval goes to the agent whose work it was about, newest first", async () => {
  const world = await openWorld();
  const work = await world.add("write the parser");
  const forWork = await ask(world, "which escape style?", [work.id]);
  const forAll = await ask(world, "which license?", ["goal"]);
  const forOther = await ask(world, "may a2 start?", ["agent:a2"]);
  accepted(await world.decide(forWork.id, "approve", { reason: "doubled quotes" }));
  world.ambient.advance(1);
  accepted(await world.decide(forAll.id, "approve", { reason: "Apache-2.0" }));
  accepted(await world.decide(forOther.id, "approve", { reason: "yes, a2 alone" }));
  expect(await answersOf(world, "a1")).toEqual([
    ["which license?", "Apache-2.0"],
    ["which escape style?", "doubled quotes"],
  ]);
  expect(await answersOf(world, "a1")).toHaveLength(2);
});

test("an approval without a word is no answer, and at most three are told", async () => {
  const world = await openWorld();
  await world.add("work");
  const silent = await ask(world, "silent?", ["goal"]);
  accepted(await world.decide(silent.id, "approve"));
  expect(await answersOf(world, "a1")).toEqual([]);
  for (const text of ["one?", "two?", "three?", "four?"]) {
    const gate = await ask(world, text, ["goal"]);
    world.ambient.advance(1);
    accepted(await world.decide(gate.id, "approve", { reason: `yes to ${text}` }));
  }
  expect((await answersOf(world, "a1")).map(([question]) => question)).toEqual(["four?", "three?", "two?"]);
});

test("an owner can say more about a gate that is approved already", async () => {
  const world = await openWorld();
  await world.add("work");
  const gate = await ask(world, "which?", ["goal"]);
  accepted(await world.decide(gate.id, "approve"));
  expect(accepted(await world.decide(gate.id, "approve", { reason: "the second" })).changed).toBe(true);
  expect(accepted(await world.decide(gate.id, "approve", { reason: "the second" })).changed).toBe(false);
  expect(await answersOf(world, "a1")).toEqual([["which?", "the second"]]);
});
