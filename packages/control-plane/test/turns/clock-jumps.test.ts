import * as fc from "fast-check";
import { expect, test } from "vitest";
import { callerOf, GOAL, HOUR_MS, openWorld, type World } from "../control-plane-world.ts";

const LANES = ["a1", "a2"] as const;
const TODOS = 4;
/** A correction of seconds, a time zone taken for another, a battery that ran out. */
const JUMPS = [1_000, 30_000, HOUR_MS, 25 * HOUR_MS, 24 * 365 * HOUR_MS];

const step = fc.record({
  lane: fc.constantFrom(...LANES),
  /** How far the lane gets before the clock jumps. */
  until: fc.constantFrom("asked", "shown", "completed", "charged"),
  jumpMs: fc.tuple(fc.constantFrom(...JUMPS), fc.boolean()).map(([ms, isBack]) => (isBack ? -ms : ms)),
});

test("wherever the clock jumps, no todo is done twice, no turn is charged twice, and work goes on", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const world = await openWorld();
      for (let count = 0; count < TODOS; count += 1) await world.add(`work ${count}`);
      for (const { lane, until, jumpMs } of steps) {
        await work(world, lane, until, jumpMs);
        await check(world);
      }
      // Once the clock is right again, what is left can be finished by either lane.
      for (let count = 0; count < 3 * TODOS; count += 1) {
        world.ambient.advance(3 * 24 * 365 * HOUR_MS);
        for (const lane of LANES) await work(world, lane, "charged", 0);
      }
      const { open } = await check(world);
      expect(open).toBe(0);
    }),
    { numRuns: 20 },
  );
});

/** One lane's turn, with a jump of the clock before the step it does not get past. */
async function work(world: World, lane: string, until: string, jumpMs: number): Promise<void> {
  const { decision, turn } = await world.next(lane);
  // Turns that ended unseen, three in a row: the lane says what happened.
  if (decision.kind === "repair") await world.show(lane, null);
  if (decision.kind !== "run" || turn === null) {
    world.ambient.advance(jumpMs);
    return;
  }
  const turnId = turn.turn_id;
  const { todoId } = decision;
  const jumpAfter = (name: string): void => {
    if (until === name) world.ambient.advance(jumpMs);
  };
  jumpAfter("asked");
  await world.show(lane, turnId, { todoId });
  jumpAfter("shown");
  await world.complete(todoId, { caller: callerOf(lane), turnId });
  jumpAfter("completed");
  await world.spend(lane, turnId);
  await world.spend(lane, turnId);
  jumpAfter("charged");
}

async function check(world: World): Promise<{ readonly open: number }> {
  return world.project.read(async (tx) => {
    const twice = await tx.all(
      "SELECT entity_id FROM events WHERE goal_id = ? AND type = 'todo_completed.v1' GROUP BY entity_id HAVING COUNT(*) > 1",
      GOAL,
    );
    const charged = await tx.all(
      "SELECT entity_id FROM events WHERE goal_id = ? AND type = 'turn_settled.v1' GROUP BY entity_id HAVING COUNT(*) > 1",
      GOAL,
    );
    const gaps = await tx.all(
      "SELECT seq FROM events WHERE goal_id = ? AND seq > 1 AND seq - 1 NOT IN (SELECT seq FROM events WHERE goal_id = ?)",
      GOAL,
      GOAL,
    );
    expect({ twice, charged, gaps }).toEqual({ twice: [], charged: [], gaps: [] });
    const [row] = await tx.all<{ readonly open: number }>(
      "SELECT COUNT(*) AS open FROM todos WHERE goal_id = ? AND status = 'open' AND role = 'agent'",
      GOAL,
    );
    return { open: row?.open ?? 0 };
  });
}
