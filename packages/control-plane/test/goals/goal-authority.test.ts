import { describe, expect, test } from "vitest";
import {
  completeGoal,
  createGoal,
  editGoal,
  parseObjective,
  pauseGoal,
  resumeGoal,
  setGoalBudget,
  stopGoal,
  type Caller,
  type ChangedGoal,
  type Goal,
} from "../../src/index.ts";
import type { Refusal } from "@loopx/contracts";
import {
  a1,
  accepted,
  GOAL,
  openWorld,
  owner,
  OWNER,
  unnamedProcess,
  refusalOf,
  type World,
} from "../control-plane-world.ts";
import { contentOf } from "../store-content.ts";

type Command = (world: World, caller: Caller) => Promise<ChangedGoal | Refusal>;

const ask = (caller: Caller) => ({ goalId: GOAL, caller, reason: null });
const COMMANDS = {
  pause: (world, caller) => pauseGoal(world.project, ask(caller), world.ambient),
  resume: (world, caller) => resumeGoal(world.project, ask(caller), world.ambient),
  stop: (world, caller) => stopGoal(world.project, ask(caller), world.ambient),
  complete: (world, caller) => completeGoal(world.project, ask(caller), world.ambient),
  edit: (world, caller) =>
    editGoal(world.project, { ...ask(caller), objective: "else", expectRevision: null }, world.ambient),
  tighten: (world, caller) => setGoalBudget(world.project, { ...ask(caller), budget: budget(5) }, world.ambient),
  loosen: (world, caller) => setGoalBudget(world.project, { ...ask(caller), budget: budget(20) }, world.ambient),
} as const satisfies Record<string, Command>;

const budget = (totalTurns: number) => ({ totalTurns, windowTurns: null, windowMs: null });

/** A goal with work open and a budget of ten turns, in the given status. */
async function openGoalIn(status: Goal["status"]): Promise<World> {
  const world = await openWorld();
  await world.add("work");
  await setGoalBudget(world.project, { ...ask(owner), budget: budget(10) }, world.ambient);
  if (status === "paused") await COMMANDS.pause(world, owner);
  if (status === "stopped") await COMMANDS.stop(world, owner);
  if (status === "completed") await COMMANDS.complete(world, owner);
  return world;
}

describe("agents and processes tighten, only owners loosen", () => {
  // What each command gives an agent or a process, and an owner, on an active goal with work open.
  const table = [
    ["pause", "accepted", "accepted"],
    ["stop", "gate_needs_owner", "accepted"],
    ["complete", "goal_has_open_work", "accepted"],
    ["edit", "accepted", "accepted"],
    ["tighten", "accepted", "accepted"],
    ["loosen", "gate_needs_owner", "accepted"],
  ] as const;
  for (const [name, byAgent, byOwner] of table) {
    test(`${name}: ${byAgent} for an agent, ${byOwner} for an owner`, async () => {
      for (const caller of [a1, unnamedProcess]) {
        const world = await openGoalIn("active");
        const before = await contentOf(world.project);
        expect(await refusalOf(COMMANDS[name](world, caller))).toBe(byAgent);
        if (byAgent !== "accepted") expect(await contentOf(world.project)).toEqual(before);
      }
      expect(await refusalOf(COMMANDS[name](await openGoalIn("active"), owner))).toBe(byOwner);
    });
  }

  test("resume: an owner only, from paused and from stopped", async () => {
    for (const status of ["paused", "stopped"] as const) {
      const world = await openGoalIn(status);
      expect(await refusalOf(COMMANDS.resume(world, a1))).toBe("gate_needs_owner");
      expect(await refusalOf(COMMANDS.resume(world, unnamedProcess))).toBe("gate_needs_owner");
      expect(accepted(await COMMANDS.resume(world, owner)).goal.status).toBe("active");
    }
  });

  test("what is so already is a success and writes nothing", async () => {
    const already = [
      ["paused", "pause"],
      ["active", "resume"],
      ["stopped", "stop"],
      ["completed", "complete"],
    ] as const;
    for (const [status, command] of already) {
      const world = await openGoalIn(status);
      const before = await contentOf(world.project);
      expect(accepted(await COMMANDS[command](world, a1))).toMatchObject({ changed: false, goal: { status } });
      expect(await contentOf(world.project)).toEqual(before);
    }
  });

  test("a goal that is over cannot be paused, edited, or ended another way", async () => {
    const refused = [
      ["stopped", "pause"],
      ["stopped", "complete"],
      ["stopped", "edit"],
      ["completed", "pause"],
      ["completed", "stop"],
      ["completed", "edit"],
    ] as const;
    for (const [status, command] of refused) {
      const world = await openGoalIn(status);
      expect([status, command, await refusalOf(COMMANDS[command](world, owner))]).toEqual([
        status,
        command,
        "goal_not_active",
      ]);
    }
  });

  test("an agent completes a goal on which nothing is open", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    accepted(await world.complete(id, { followUp: { kind: "open_ended" } }));
    expect(accepted(await COMMANDS.complete(world, a1)).goal.status).toBe("completed");
  });

  test("an agent that is not a lane of the goal changes nothing", async () => {
    const world = await openGoalIn("active");
    const stranger: Caller = { actor: { kind: "agent", agent_id: "a9" }, threadId: null };
    for (const command of Object.values(COMMANDS))
      expect(await refusalOf(command(world, stranger))).toBe("unknown_agent");
    const unbound: Caller = { actor: { kind: "agent", agent_id: "a1" }, threadId: "thread-1" };
    for (const command of Object.values(COMMANDS)) {
      expect(await refusalOf(command(world, unbound))).toBe("binding_not_verified");
    }
  });
});

describe("the objective", () => {
  test("an owner's edit is in force at once under the next revision; one made on an older revision is a conflict", async () => {
    const world = await openWorld();
    const edit = (objective: string, expectRevision: number | null): ReturnType<typeof editGoal> =>
      editGoal(world.project, { ...ask(owner), objective, expectRevision }, world.ambient);
    expect(accepted(await edit("second", 1)).goal).toMatchObject({ objective: "second", revision: 2 });
    expect(await refusalOf(edit("third", 1))).toBe("goal_revision_conflict");
    expect(accepted(await edit("second", 2)).changed).toBe(false);
    expect(await world.goal()).toMatchObject({ objective: "second", revision: 2 });
  });

  test("is kept exactly, up to 16 KiB of UTF-8, without NUL and without credentials", async () => {
    const world = await openWorld();
    const create = (goalId: string, objective: string): ReturnType<typeof createGoal> =>
      createGoal(world.project, { goalId, objective, actor: OWNER }, world.ambient);
    const exact = ' I\'m "done" \\ ok $(touch x)\r\n项目 /home/user/x ';
    expect(accepted(await create("g1", exact)).goal.objective).toBe(exact);
    expect(await refusalOf(create("g2", "é".repeat(8192)))).toBe("accepted");
    expect(await refusalOf(create("g3", `${"é".repeat(8192)}x`))).toBe("text_too_long");
    expect(await refusalOf(create("g3", "a\0b"))).toBe("text_not_storable");
    expect(await refusalOf(create("g3", "  "))).toBe("invalid_value");
    expect(await refusalOf(create("g3", "use ghp_16C7e42F292c6912E7710c838347Ae178B4a"))).toBe("credential_refused");
    expect(parseObjective("rotate the passwords", "objective")).toBe("rotate the passwords");
  });

  test("creating the same goal again is already so; another objective under its id is refused", async () => {
    const world = await openWorld();
    const create = (objective: string): ReturnType<typeof createGoal> =>
      createGoal(world.project, { goalId: GOAL, objective, actor: OWNER }, world.ambient);
    const before = await contentOf(world.project);
    expect(accepted(await create("make it work")).alreadyExists).toBe(true);
    expect(await refusalOf(create("make it fast"))).toBe("goal_id_taken");
    expect(await contentOf(world.project)).toEqual(before);
  });
});

test("the same edit asked for twice waits at one gate", async () => {
  const world = await openWorld();
  const request = { goalId: GOAL, caller: a1, reason: null, objective: "make it work well", expectRevision: null };
  const first = accepted(await editGoal(world.project, request, world.ambient));
  const second = accepted(await editGoal(world.project, request, world.ambient));
  expect(second.gate?.todo_id).toBe(first.gate?.todo_id);
  const other = accepted(await editGoal(world.project, { ...request, objective: "another" }, world.ambient));
  expect(other.gate?.todo_id).not.toBe(first.gate?.todo_id);
});

test("a change of a goal that somebody changed after it was seen is refused, and says who did what", async () => {
  const world = await openWorld();
  const seen = (await contentOf(world.project))["events"]?.length ?? 0;
  const request = { goalId: GOAL, caller: owner, reason: null, expectSeq: seen };
  accepted(await pauseGoal(world.project, request, world.ambient));
  expect(await resumeGoal(world.project, request, world.ambient)).toMatchObject({
    code: "goal_revision_conflict",
    details: { type: "goal_paused.v1", by: "owner:terminal" },
  });
  accepted(await resumeGoal(world.project, { ...request, expectSeq: seen + 1 }, world.ambient));
});
