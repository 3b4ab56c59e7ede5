import { expect, test } from "vitest";
import { LIMITS } from "../src/limits.ts";

test("the limits are those of the design", () => {
  expect(LIMITS).toEqual({
    taskTextMaxBytes: 16_384,
    todoTextMaxCodePoints: 4000,
    todoTextShown: 240,
    idMaxLength: 128,
    leaseDefaultMs: 2_700_000,
    leaseMinMs: 60_000,
    leaseMaxMs: 86_400_000,
    unsettledTurnsBeforeRepair: 3,
    fruitlessReplansBeforeAskUser: 3,
    backupMaxAgeMs: 86_400_000,
    packetMaxBytes: {
      should_run: 2048,
      gate: 2048,
      start_goal: 4096,
      handoff: 3072,
      todo_change: 1024,
      status_page: 4096,
      agent_onboard: 4096,
      global_page: 6144,
      pr_review_index: 10_240,
      pr_review_one: 8192,
    },
  });
});
