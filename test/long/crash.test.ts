import { describe, expect, test } from "vitest";
import { findContradictions, listRows, loadProjectState } from "../support/project-state.ts";
import { readField } from "../support/read-field.ts";
import { hasStrace } from "../support/system-calls.ts";
import { createWorkingGoal } from "../support/working-goal.ts";
import { CRASH_CASES } from "./crash-cases.ts";
import { killAtEveryCall } from "./crash-checks.ts";

describe.skipIf(!hasStrace)("a command killed at a system call", () => {
  test.each(CRASH_CASES)("$name leaves its change whole or absent, and the next command works", async (crash) => {
    const report = await killAtEveryCall(crash);
    const killCount = [...report.kills.values()].reduce((sum, count) => sum + count, 0);
    expect(killCount, JSON.stringify([...report.kills])).toBeGreaterThan(10);
    // Kills before the commit and kills after it: a suite that saw only one kind proves half.
    expect(Math.min(report.keptCount, report.absentCount)).toBeGreaterThan(0);
  });
});

describe("commands killed at any instant", () => {
  test("sixty kills of three writers keep every todo that was reported, and no half of one", async () => {
    const { world, goalId } = await createWorkingGoal(1);
    try {
      const add = (text: string): string[] => ["todo", "add", `--goal-id=${goalId}`, `--text=${text}`];
      const startedAt = performance.now();
      await world.call(add("How long one takes"));
      const aloneMs = performance.now() - startedAt;
      const reported: string[] = [];
      let killCount = 0;
      const writeAndDie = async (writer: number): Promise<void> => {
        // Beside two others, and whatever else the machine does, one takes longer than alone.
        let usualMs = aloneMs;
        for (let round = 0; round < 20; round += 1) {
          const text = `Writer ${writer} round ${round}`;
          const killAfterMs = usualMs * (0.4 + (round / 20) * 1.8);
          const { json, signal } = await world.run(add(text), { killAfterMs });
          if (readField(json, "ok") === true) reported.push(text);
          else usualMs *= 1.1;
          if (signal === "SIGKILL") killCount += 1;
          // The next command, beside the other writers.
          expect(await world.call(["status"])).toMatchObject({ ok: true });
        }
      };
      await Promise.all([1, 2, 3].map(writeAndDie));
      const state = await loadProjectState(world);
      expect(findContradictions(state)).toEqual([]);
      const kept = listRows(state, "todos").map((row) => String(row["text"]));
      expect(reported.filter((text) => !kept.includes(text))).toEqual([]);
      expect(kept).toEqual([...new Set(kept)]);
      expect(await world.call(["doctor"])).toMatchObject({ ok: true });
      expect([killCount > 5, reported.length > 5], `${killCount} killed, ${reported.length} reported`).toEqual([
        true,
        true,
      ]);
    } finally {
      world.remove();
    }
  });
});
