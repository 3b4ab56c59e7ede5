import { describe, expect, test } from "vitest";
import { listAgents, listRegisteredAgentIds, registerAgents, renderActor, stopGoal } from "../../src/index.ts";
import { accepted, GOAL, openWorld, OWNER, owner, PROJECT, refusalOf, type World } from "../control-plane-world.ts";
import { contentOf } from "../store-content.ts";

const register = (world: World, agentIds: readonly string[], mustBeNew = false): ReturnType<typeof registerAgents> =>
  registerAgents(
    world.home,
    world.project,
    { goalId: GOAL, projectId: PROJECT, agentIds, mustBeNew, actor: OWNER },
    world.ambient,
  );

describe("registerAgents", () => {
  test("adds the lanes that are new, once, and reads both stores back", async () => {
    const world = await openWorld();
    const registered = accepted(await register(world, ["a3", "a1", "a3"]));
    expect(registered).toEqual({ ok: true, agentIds: ["a1", "a2", "a3"], added: ["a3"], isVerified: true });
    const before = await contentOf(world.project);
    expect(accepted(await register(world, ["a3"])).added).toEqual([]);
    expect(await contentOf(world.project)).toEqual(before);
    expect(await world.home.read((tx) => listRegisteredAgentIds(tx, GOAL))).toEqual(["a1", "a2", "a3"]);
  });

  test("refuses what it cannot do, and stores nothing", async () => {
    const world = await openWorld();
    const before = [await contentOf(world.home), await contentOf(world.project)];
    expect(await refusalOf(register(world, ["a9", "a1"], true))).toBe("agent_identity_already_registered");
    const readOnly = { ...world, home: await world.open("home.db", "read") };
    expect(await refusalOf(register(readOnly, ["a9"]))).toBe("home_not_writable");
    expect([await contentOf(world.home), await contentOf(world.project)]).toEqual(before);
    await stopGoal(world.project, { goalId: GOAL, caller: owner, reason: null }, world.ambient);
    expect(await refusalOf(register(world, ["a9"]))).toBe("goal_not_active");
  });

  test("a crash between the two commits is mended by the same call", async () => {
    const world = await openWorld();
    await world.home.write((tx) =>
      tx.run("CREATE TRIGGER crash BEFORE INSERT ON registered_agents BEGIN SELECT RAISE(ABORT, 'crash'); END"),
    );
    expect(await refusalOf(register(world, ["a3"]))).toBe("store_failed");
    expect(await world.project.read((tx) => listAgents(tx, GOAL))).toHaveLength(3);
    expect(await world.home.read((tx) => listRegisteredAgentIds(tx, GOAL))).toEqual(["a1", "a2"]);
    await world.home.write((tx) => tx.run("DROP TRIGGER crash"));
    expect(accepted(await register(world, ["a3"]))).toMatchObject({ added: [], isVerified: true });
  });

  test("twenty lanes registered at once are all there, in both stores", async () => {
    const world = await openWorld();
    await Promise.all(Array.from({ length: 20 }, (_, index) => register(world, [`b${index}`])));
    expect(await world.project.read((tx) => listAgents(tx, GOAL))).toHaveLength(22);
    expect(await world.home.read((tx) => listRegisteredAgentIds(tx, GOAL))).toHaveLength(22);
  });
});

test("an actor is rendered by what was proven of it", () => {
  expect([
    renderActor({ kind: "agent", agent_id: "a1" }),
    renderActor({ kind: "owner", via: "token", token_id: "token_000001" }),
    renderActor({ kind: "process" }),
    renderActor({ kind: "process", host: "codex" }),
  ]).toEqual(["agent:a1", "owner:token", "process", "process:codex"]);
});
