import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  loadChangeMark,
  loadProjectOverview,
  renewTurn,
  type KeptGoalFacts,
  type OverviewQuery,
  type ProjectOverview,
} from "../../src/index.ts";
import { GOAL, MINUTE_MS, openSecond, openWorld, START, TTL_MS, type World } from "../control-plane-world.ts";
import { randomCommands, runCommand } from "../random-commands.ts";

const EVERYTHING: OverviewQuery = { agentId: null, includes: new Set(["lanes", "risks"]), progressSince: START };

function look(world: World, kept?: KeptGoalFacts): Promise<ProjectOverview> {
  const query = { ...EVERYTHING, goalIds: new Set([GOAL]), kept };
  return world.project.read((tx) => loadProjectOverview(tx, query, world.ambient.now()));
}

test("an overview from kept facts is the one that reads everything anew, whatever another process did and however late it is", async () => {
  const seen = { work: 0, gates: 0, risks: 0, kept: 0 };
  const check = async (commands: readonly Parameters<typeof runCommand>[1][], minutes: number): Promise<void> => {
    const world = await openWorld();
    const other = await openSecond(world);
    const kept: KeptGoalFacts = new Map();
    for (const command of commands) {
      await runCommand(other, command);
      for (const laterMs of [0, minutes * MINUTE_MS]) {
        world.ambient.advance(laterMs);
        const before = kept.get(GOAL);
        const overview = await look(world, kept);
        expect(overview).toEqual(await look(world));
        if (before !== undefined && kept.get(GOAL) === before) seen.kept += 1;
        for (const goal of overview.openGoals) {
          seen.work += goal.work.length;
          seen.gates += goal.gates.length;
          seen.risks += goal.risks.length;
        }
      }
    }
  };
  await fc.assert(fc.asyncProperty(randomCommands, fc.integer({ min: 0, max: 30 }), check), { numRuns: 8, seed: 7 });
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(20);
});

test("a lease that is extended without an event is seen in kept facts and in the mark of changes", async () => {
  const world = await openWorld();
  await world.add("work");
  const { turnId } = await world.run("a1");
  const kept: KeptGoalFacts = new Map();
  await look(world, kept);
  const mark = await world.project.read(loadChangeMark);
  expect(await world.project.read(loadChangeMark)).toBe(mark);
  const other = await openSecond(world);
  await renewTurn(other.project, { goalId: GOAL, turnId, leaseTtlMs: 4 * TTL_MS }, world.ambient);
  expect(await world.project.read(loadChangeMark)).not.toBe(mark);
  world.ambient.advance(2 * TTL_MS);
  const overview = await look(world, kept);
  expect(overview).toEqual(await look(world));
  expect(overview.openGoals[0]?.risks).toEqual([]);
});

test("facts that nothing changed are not read again", async () => {
  const world = await openWorld();
  await world.add("work");
  const kept: KeptGoalFacts = new Map();
  await look(world, kept);
  const first = kept.get(GOAL);
  await look(world, kept);
  expect(kept.get(GOAL)).toBe(first);
  await world.add("more");
  await look(world, kept);
  expect(kept.get(GOAL)).not.toBe(first);
});
