import { describe, expect, test } from "vitest";
import { attachContext, detachContext, listContextAttachments } from "../../src/index.ts";
import { a1, accepted, callerOf, GOAL, openWorld, owner, refusalOf, unnamedProcess } from "../control-plane-world.ts";
import { draftAttachment } from "../random-commands.ts";

describe("attachContext", () => {
  test("lets a lane attach what wasn't, and the same again changes nothing", async () => {
    const world = await openWorld();
    const request = { caller: a1, attachment: draftAttachment({ inputs: { a: "1", b: "2" } }) };
    const first = accepted(await attachContext(world.project, request, world.ambient));
    world.ambient.advance(60_000);
    const turned = { caller: unnamedProcess, attachment: draftAttachment({ inputs: { b: "2", a: "1" } }) };
    expect(accepted(await attachContext(world.project, turned, world.ambient))).toEqual({ ...first, changed: false });
    expect(await world.project.read((tx) => listContextAttachments(tx, GOAL))).toEqual([first.attachment]);
    expect((await world.eventTypes()).slice(-1)).toEqual(["context_attached.v1"]);
  });

  test("lets only an owner put another in its place, or take it back", async () => {
    const world = await openWorld();
    accepted(await attachContext(world.project, { caller: a1, attachment: draftAttachment() }, world.ambient));
    const other = draftAttachment({ objective: "sell-lamps" });
    const detach = { goalId: GOAL, profile: "default" };
    expect(await refusalOf(attachContext(world.project, { caller: a1, attachment: other }, world.ambient))).toBe(
      "gate_needs_owner",
    );
    expect(await refusalOf(detachContext(world.project, { ...detach, caller: a1 }, world.ambient))).toBe(
      "gate_needs_owner",
    );
    const replaced = accepted(await attachContext(world.project, { caller: owner, attachment: other }, world.ambient));
    expect(replaced.attachment.objective).toBe("sell-lamps");
    accepted(await detachContext(world.project, { ...detach, caller: owner }, world.ambient));
    expect(await world.project.read((tx) => listContextAttachments(tx, GOAL))).toEqual([]);
    expect(await refusalOf(detachContext(world.project, { ...detach, caller: owner }, world.ambient))).toBe(
      "context_not_attached",
    );
  });

  test.each([
    ["a stranger", { caller: unnamedProcess }, "missing_flag"],
    ["a lane of no goal", { caller: callerOf("a9") }, "unknown_agent"],
    [
      "a credential",
      { attachment: draftAttachment({ inputs: { key: `ghp_${"a1B2".repeat(9)}` } }) },
      "credential_refused",
    ],
    ["a goal there isn't", { attachment: draftAttachment({ goal_id: "none" }) }, "unknown_goal"],
  ])("refuses %s", async (_case, more, code) => {
    const world = await openWorld();
    const request = { caller: a1, attachment: draftAttachment(), ...more };
    expect(await refusalOf(attachContext(world.project, request, world.ambient))).toBe(code);
  });
});
