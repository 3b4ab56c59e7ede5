import { describe, expect, test } from "vitest";
import { listActivations, recordActivation } from "../../src/index.ts";
import { a1, a2, accepted, GOAL, openWorld, refusalOf, type World } from "../control-plane-world.ts";

const DIGEST = `sha256:${"a".repeat(64)}`;

type Request = Parameters<typeof recordActivation>[1];

function record(world: World, more: Partial<Request> = {}): ReturnType<typeof recordActivation> {
  const request = {
    goalId: GOAL,
    caller: a1,
    agentId: "a1",
    hostSurface: "claude-code",
    threadId: null,
    loopDriver: null,
    taskBodyDigest: DIGEST,
    ...more,
  };
  return recordActivation(world.project, request, world.ambient);
}

describe("recordActivation", () => {
  test("keeps one record a lane; saying the same again changes nothing, not even its time", async () => {
    const world = await openWorld();
    const first = accepted(await record(world));
    world.ambient.advance(60_000);
    expect(accepted(await record(world))).toEqual({ ...first, changed: false });
    const moved = accepted(await record(world, { hostSurface: "other-agent", loopDriver: "cron" }));
    expect(moved.activation).toMatchObject({ host_surface: "other-agent", loop_driver: "cron" });
    expect(moved.activation.recorded_at > first.activation.recorded_at).toBe(true);
    expect(await world.project.read((tx) => listActivations(tx, GOAL))).toEqual([moved.activation]);
    expect((await world.eventTypes()).filter((type) => type === "activation_recorded.v1")).toHaveLength(2);
  });

  test.each<[string, Partial<Request>, string]>([
    ["another agent's lane", { caller: a2 }, "turn_not_held"],
    ["a lane that does not exist", { caller: { ...a1, actor: { kind: "process" } }, agentId: "a9" }, "unknown_agent"],
    ["a goal that does not exist", { goalId: "none" }, "unknown_goal"],
    ["a thread that is bound to nobody", { caller: { ...a1, threadId: "t" } }, "binding_not_verified"],
    ["a driver that holds a credential", { loopDriver: `run with ghp_${"a1B2".repeat(9)}` }, "credential_refused"],
    ["a driver that nobody named", { loopDriver: "<what wakes the agent>" }, "invalid_value"],
  ])("refuses %s, and writes nothing", async (_case, more, code) => {
    const world = await openWorld();
    expect(await refusalOf(record(world, more))).toBe(code);
    expect(await world.project.read((tx) => listActivations(tx, GOAL))).toEqual([]);
  });
});
