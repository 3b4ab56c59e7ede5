import { addMs } from "@loopx/contracts";
import { describe, expect, test } from "vitest";
import {
  decideNext,
  loadProjectOverview,
  newGate,
  pauseGoal,
  updateTodo,
  type GoalOverview,
  type OverviewQuery,
} from "../../src/index.ts";
import { a1, accepted, GOAL, HOUR_MS, openWorld, owner, TTL_MS, type World } from "../control-plane-world.ts";
import { loadFacts, toTold } from "../decision/decide-from-all.ts";

const EVERYTHING: OverviewQuery = { agentId: null, includes: new Set(["lanes", "risks"]), progressSince: null };

async function look(world: World, query: Partial<OverviewQuery> = {}): Promise<GoalOverview> {
  const { openGoals } = await world.project.read((tx) =>
    loadProjectOverview(tx, { ...EVERYTHING, ...query, goalIds: new Set([GOAL]) }, world.ambient.now()),
  );
  const [overview] = openGoals;
  if (overview === undefined) throw new Error("no open goal");
  return overview;
}

function placesOf(overview: GoalOverview): readonly string[] {
  return overview.work.map(({ todo, readiness, heldBy }) => `${todo.text}: ${readiness} ${heldBy ?? ""}`.trimEnd());
}

const UNCHANGED = {
  text: null,
  priority: null,
  note: null,
  addDependsOn: [],
  removeDependsOn: [],
  clearClaim: false,
} as const;

const FAILED = { status: "failed", label: "unit", exit_code: 1, timed_out: false, ran_in: null, output: null } as const;

describe("work in an overview", () => {
  test("stands where the decision sees it: runnable, put off until now, or held back and by what", async () => {
    const world = await openWorld();
    const first = await world.add("first");
    await world.add("after first", { depends_on: [first.id] });
    await world.add("publish", { action_kind: "external_publication" });
    const stuck = await world.add("stuck");
    const edit = { ...UNCHANGED, status: "blocked", reason: "no key" } as const;
    accepted(await updateTodo(world.project, { goalId: GOAL, todoId: stuck.id, caller: owner, edit }, world.ambient));
    const overview = await look(world);
    expect(placesOf(overview)).toEqual([
      "first: runnable",
      "after first: blocked dependency",
      "publish: blocked gate",
      "stuck: blocked blocked",
    ]);
    expect(overview.gates.map(({ gate, isUndecided }) => [gate.kind, isUndecided])).toEqual([
      ["external_publication", true],
    ]);
  });

  test("that another lane holds is held back from one lane and runnable to nobody in particular", async () => {
    const world = await openWorld();
    await world.add("only one");
    await world.run("a1");
    expect(placesOf(await look(world))).toEqual(["only one: runnable"]);
    expect(placesOf(await look(world, { agentId: "a1" }))).toEqual(["only one: runnable"]);
    expect(placesOf(await look(world, { agentId: "a2" }))).toEqual(["only one: blocked claim"]);
  });

  test("of a paused goal is held back by the pause", async () => {
    const world = await openWorld();
    await world.add("only one");
    accepted(await pauseGoal(world.project, { goalId: GOAL, caller: owner, reason: null }, world.ambient));
    expect(placesOf(await look(world))).toEqual(["only one: blocked goal_paused"]);
  });

  test("is a review by a word of its action kind, whatever holds it", async () => {
    const world = await openWorld();
    await world.add("look at it", { action_kind: "code_review" });
    await world.add("preview", { action_kind: "preview" });
    expect((await look(world)).work.map(({ isReview }) => isReview)).toEqual([true, false]);
  });
});

describe("lanes in an overview", () => {
  test("have the answer that quota should-run would give, and looking opens no turn", async () => {
    const world = await openWorld();
    await world.add("only one");
    await world.run("a1");
    const before = await world.eventTypes();
    const lanes = (await look(world)).lanes.map(({ agentId, decision }) => [agentId, decision.kind]);
    expect(lanes).toEqual([
      ["a1", "run"],
      ["a2", "wait"],
    ]);
    expect(await world.eventTypes()).toEqual(before);
    expect((await world.next("a2")).decision.kind).toBe("wait");
  });
});

describe("lanes in an overview of a goal with gates", () => {
  test("have the answer of the decision, whatever the gates hold and owners say", async () => {
    const world = await openWorld();
    const work = await world.add("write it");
    const published = await world.add("publish", { action_kind: "external_publication" });
    const publishGate = published.gate?.todo_id ?? "";
    await expectSameLanes(world);
    const forOne = await addGate(world, "may a1 go on?", "agent:a1");
    await expectSameLanes(world);
    const forTodo = await addGate(world, "may it be written?", work.id);
    await expectSameLanes(world);
    accepted(await world.decide(forTodo, "reject"));
    await expectSameLanes(world);
    accepted(await world.decide(publishGate, "approve"));
    await expectSameLanes(world);
    accepted(await world.decide(publishGate, "defer"));
    const forAll = await addGate(world, "may anybody go on?", "goal");
    await expectSameLanes(world);
    for (const gateId of [forAll, forOne, forTodo, publishGate]) {
      accepted(await world.decide(gateId, "approve"));
      await expectSameLanes(world);
    }
  });
});

async function addGate(world: World, text: string, target: string): Promise<string> {
  const gate = newGate("decision", [target]);
  return (await world.add(text, { role: "user", task_class: "user_gate", gate })).id;
}

/** Each lane has the answer that the decision gives from the facts it loads itself. */
async function expectSameLanes(world: World): Promise<void> {
  const { lanes } = await look(world);
  expect(lanes).toHaveLength(2);
  for (const { agentId, decision } of lanes) {
    const decided = decideNext(await loadFacts(world, agentId), world.ambient.now());
    expect(toTold({ decision, endsOpenTurn: null })).toEqual(toTold({ ...decided, endsOpenTurn: null }));
  }
}

async function risksOf(world: World): Promise<readonly string[]> {
  return (await look(world)).risks.map(({ kind, severity }) => `${kind} ${severity}`);
}

describe("risks in an overview", () => {
  test("are none where nothing is wrong", async () => {
    const world = await openWorld();
    await world.add("only one");
    await world.run("a1");
    expect(await risksOf(world)).toEqual([]);
  });

  test("name a turn that is open past its lease", async () => {
    const world = await openWorld();
    await world.add("only one");
    const { turnId } = await world.run("a1");
    world.ambient.advance(TTL_MS);
    const [risk] = (await look(world)).risks;
    expect(risk).toMatchObject({ kind: "turn_past_lease", sourceId: turnId, agentId: "a1" });
  });

  test("name a todo whose last check failed, until a later one passes", async () => {
    const world = await openWorld();
    await world.add("only one");
    const { turnId, todoId } = await world.run("a1");
    accepted(await world.show("a1", turnId, { validation: FAILED }));
    const [risk] = (await look(world)).risks;
    expect(risk).toMatchObject({ kind: "validation_failed", todoId, label: "unit", severity: "high" });
    world.ambient.advance(1);
    const passed = { ...FAILED, status: "passed" } as const;
    accepted(await world.show("a1", null, { todoId, validation: passed, text: "green" }));
    expect(await risksOf(world)).toEqual([]);
  });

  test("name each text that holds what views mask, with how often", async () => {
    const world = await openWorld();
    await world.add("compare /home/me/a.ts with /home/me/b.ts");
    const [risk] = (await look(world)).risks;
    expect(risk).toMatchObject({ kind: "local_path_in_text", severity: "low", occurrenceCount: 2 });
  });

  test("name a gate whose approval was taken back, and none that was only put off or rejected at first", async () => {
    const world = await openWorld();
    const approved = await world.add("publish", { action_kind: "external_publication" });
    const refused = await world.add("deploy", { action_kind: "production" });
    const [gateId = "", otherId = ""] = [approved, refused].map(({ gate }) => gate?.todo_id ?? "");
    accepted(await world.decide(otherId, "reject"));
    accepted(await world.decide(gateId, "approve"));
    expect(await risksOf(world)).toEqual([]);
    accepted(await world.decide(gateId, "reject"));
    const [risk] = (await look(world)).risks;
    expect(risk).toMatchObject({ kind: "reopened_after_done", sourceId: gateId });
  });
});

describe("an overview", () => {
  test("shows only goals that are registered, and to a lane only those it is a lane of", async () => {
    const world = await openWorld();
    const load = (goalIds: readonly string[], agentId: string | null) =>
      world.project.read((tx) =>
        loadProjectOverview(tx, { ...EVERYTHING, agentId, goalIds: new Set(goalIds) }, world.ambient.now()),
      );
    expect((await load([], null)).openGoals).toEqual([]);
    expect((await load([GOAL], "a")).openGoals).toEqual([]);
    expect((await load([GOAL], "a1")).openGoals).toHaveLength(1);
  });

  test("tells what was finished or decided since a moment, latest first", async () => {
    const world = await openWorld();
    const [first, second] = [await world.add("first"), await world.add("second")];
    accepted(await world.complete(first.id, { caller: a1 }));
    const since = world.ambient.advance(HOUR_MS);
    accepted(await world.complete(second.id, { caller: a1, followUp: { kind: "open_ended" } }));
    const load = async (progressSince: typeof since) =>
      (await look(world, { progressSince })).progress.map(({ type, text }) => `${type} ${text}`);
    expect(await load(since)).toEqual(["todo_completed.v1 second"]);
    expect(await load(addMs(since, -HOUR_MS))).toEqual(["todo_completed.v1 second", "todo_completed.v1 first"]);
  });
});
