import { expect, test } from "vitest";
import { askNextTurn, findTurn, renewTurn } from "../../src/index.ts";
import { accepted, GOAL, MINUTE_MS, openWorld, TTL_MS } from "../control-plane-world.ts";

test("a driver's turn is its own: neither another driver nor the lane without a label gets it while the lease holds", async () => {
  const world = await openWorld();
  await world.add("work");
  const ask = async (driverId: string): Promise<string> => {
    const request = { goalId: GOAL, agentId: "a1", turnId: null, threadId: null, driverId, leaseTtlMs: MINUTE_MS };
    return accepted(await askNextTurn(world.project, request, world.ambient)).decision.kind;
  };
  expect(await ask("driver_1")).toBe("run");
  expect([await ask("driver_1"), await ask("driver_2"), (await world.next("a1")).decision.kind]).toEqual([
    "run",
    "wait",
    "wait",
  ]);
  world.ambient.advance(MINUTE_MS);
  expect(await ask("driver_2")).toBe("run");
});

test("renewing makes turn and claim last, never shortens them, and ends with the turn", async () => {
  const world = await openWorld();
  await world.add("work");
  const { turnId, todoId } = await world.run("a1");
  const renew = (leaseTtlMs: number): Promise<boolean> =>
    renewTurn(world.project, { goalId: GOAL, turnId, leaseTtlMs }, world.ambient);
  const leases = async (): Promise<readonly unknown[]> => {
    const turn = await world.project.read((tx) => findTurn(tx, GOAL, turnId));
    return [turn?.lease_expires_at, (await world.todo(todoId)).claim_expires_at];
  };
  const before = await leases();
  expect(await renew(MINUTE_MS)).toBe(true);
  expect(await leases()).toEqual(before);
  expect(await renew(2 * TTL_MS)).toBe(true);
  const [turnUntil, claimUntil] = await leases();
  expect(turnUntil).toBe(claimUntil);
  expect(String(turnUntil) > String(before[0])).toBe(true);
  accepted(await world.show("a1", turnId));
  accepted(await world.spend("a1", turnId));
  expect(await renew(9 * TTL_MS)).toBe(false);
  expect((await leases())[0]).toBe(turnUntil);
});

test("a lease that ran out and was taken over is not taken back by renewing", async () => {
  const world = await openWorld();
  await world.add("work");
  const { turnId, todoId } = await world.run("a1");
  world.ambient.advance(TTL_MS + MINUTE_MS);
  await world.run("a2");
  const before = await world.todo(todoId);
  await renewTurn(world.project, { goalId: GOAL, turnId, leaseTtlMs: 9 * TTL_MS }, world.ambient);
  expect(await world.todo(todoId)).toEqual(before);
});
