import { toInstant } from "@loopx/contracts";
import type { Decision, Turn } from "@loopx/control-plane";
import { describe, expect, test } from "vitest";
import { assert, double, integer, property } from "fast-check";
import { toBackoffMs, toFraction } from "../../src/drive/backoff.ts";
import { decideStep, type DriveStep } from "../../src/drive/decide-step.ts";

const NOW = toInstant(0);
const SOON = toInstant(90_000);
const FAR = toInstant(86_400_000);
const TURN: Turn = {
  goal_id: "goal",
  turn_id: "turn_aaaaaa",
  agent_id: "bot-1",
  todo_id: "todo_aaaaaa",
  state: "open",
  holder: "driver_b",
  claim_epoch: 1,
  lease_expires_at: SOON,
  opened_at: NOW,
  closed_at: null,
};
const ELSEWHERE: Decision = { kind: "wait", reason: "turn_open_elsewhere", until: SOON };

describe("the step of a driver", () => {
  test.each<[string, Decision, DriveStep]>([
    ["runs", { kind: "run", todoId: "t", selectedBy: "priority", turn: "open", epoch: 1 }, { kind: "take_turn" }],
    ["plans", { kind: "replan", turn: "open" }, { kind: "take_turn" }],
    [
      "waits as told",
      { kind: "wait", reason: "monitor_not_due", until: SOON },
      { kind: "wait", ms: 90_000, reason: "monitor_not_due" },
    ],
    [
      "asks again after half an hour",
      { kind: "wait", reason: "deferred_until", until: FAR },
      { kind: "wait", ms: 1_800_000, reason: "deferred_until" },
    ],
    [
      "asks again where no time is known",
      { kind: "wait", reason: "gate_deferred", until: null },
      { kind: "wait", ms: 1_800_000, reason: "gate_deferred" },
    ],
    [
      "never asks without a pause",
      { kind: "wait", reason: "monitor_not_due", until: NOW },
      { kind: "wait", ms: 1000, reason: "monitor_not_due" },
    ],
    [
      "waits for its window",
      { kind: "throttled", reason: "budget_window", until: SOON },
      { kind: "wait", ms: 90_000, reason: "budget_window" },
    ],
    [
      "stops at its total",
      { kind: "throttled", reason: "budget_total", until: null },
      { kind: "stop", by: "throttled" },
    ],
    [
      "charges what was shown",
      { kind: "repair", code: "turn_not_settled", turnId: "turn_aaaaaa" },
      { kind: "charge", turnId: "turn_aaaaaa" },
    ],
    ["stops for repair", { kind: "repair", code: "turns_unsettled", turnId: null }, { kind: "stop", by: "repair" }],
    ["stops for an owner", { kind: "ask_user", reason: "gate", todoIds: [] }, { kind: "stop", by: "ask_user" }],
    ["stops when paused", { kind: "paused" }, { kind: "stop", by: "paused" }],
    ["stops when done", { kind: "done", reason: "goal_completed" }, { kind: "stop", by: "done" }],
  ])("%s", (_case, decision, step) => {
    expect(decideStep({ decision, turn: null }, undefined, NOW)).toEqual(step);
  });

  test("waits once for a holder that may be dead, and stops for one that lives", () => {
    const answer = { decision: ELSEWHERE, turn: TURN };
    const waits = { kind: "wait", ms: 90_000, reason: "turn_open_elsewhere" };
    expect(decideStep(answer, undefined, NOW)).toEqual(waits);
    expect(decideStep(answer, TURN, NOW)).toEqual(waits);
    const stops = { kind: "stop", by: "driven_elsewhere" };
    expect(decideStep(answer, { ...TURN, lease_expires_at: NOW }, NOW)).toEqual(stops);
    expect(decideStep(answer, { ...TURN, turn_id: "turn_bbbbbb" }, NOW)).toEqual(stops);
  });
});

describe("the wait after failures", () => {
  test("doubles up to five minutes, and loses at most half", () => {
    expect([1, 2, 3, 8, 9, 10, 60].map((failures) => toBackoffMs(failures, 0))).toEqual([
      1000, 2000, 4000, 128_000, 256_000, 300_000, 300_000,
    ]);
    assert(
      property(
        integer({ min: 1, max: 5000 }),
        double({ min: 0, max: 0.999_999, noNaN: true }),
        (failures, fraction) => {
          const whole = toBackoffMs(failures, 0);
          const ms = toBackoffMs(failures, fraction);
          expect(ms).toBeLessThanOrEqual(whole);
          expect(ms).toBeGreaterThanOrEqual(whole / 2);
        },
      ),
    );
  });

  test("takes its randomness from an id", () => {
    expect(toFraction("jitter_0000000000000000")).toBe(0);
    expect(toFraction("jitter_zzzzzzzzzzzzzzzz")).toBeCloseTo(1, 6);
    expect(toFraction("jitter_zzzzzzzzzzzzzzzz")).toBeLessThan(1);
    expect(toFraction("")).toBe(0);
  });
});
