import { describe, expect, test } from "vitest";
import type { ChainReport } from "../../src/trace/verify-traces.ts";
import { extendChain, openChain, toChainKey } from "../../src/trace/trace-chain.ts";
import type { TraceStore } from "../../src/trace/trace-store.ts";
import { createRing, createTrace } from "./sample-trace.ts";
import { describeOnEachEngine } from "./trace-engines.ts";
import { createWorld, record, tamper, type World } from "./trace-world.ts";

const ROTATED = createRing([
  { id: "key_a", state: "verify_only", byte: 1 },
  { id: "key_b", state: "active", byte: 2 },
]);
const FORGET_A = [
  "DELETE FROM traces WHERE chain LIKE '%key_a%'",
  "DELETE FROM trace_chains WHERE chain LIKE '%key_a%'",
];

async function recordAs(world: World, writer: string, id: string): Promise<void> {
  const store = await world.open({ writer });
  await record(store, [{ id }]);
  await store.close();
}

const toProblems = (reports: readonly ChainReport[]): readonly string[] =>
  reports.map(
    ({ writer, keyId, verdict }) => `${writer} ${keyId} ${verdict.ok ? `${verdict.count} whole` : verdict.problem}`,
  );

/** Signs the one chain as versions without registers did. */
async function turnIntoEarlier(world: World): Promise<void> {
  const store = await world.open();
  const recorded = await store.findRecorded("trace-1");
  await store.close();
  const ring = createRing();
  const name = { writer: "writer-a", partition: "2026-11", keyId: "key_a" };
  const head = extendChain(ring, name, openChain(ring, name), recorded?.entry.json ?? "");
  await tamper(world, `UPDATE traces SET chain = '${toChainKey(name)}', mac = '${head.mac}'`);
  await tamper(
    world,
    `UPDATE trace_chains SET chain = '${toChainKey(name)}', mac = '${head.mac}', signature = '${head.signature}'`,
  );
  await tamper(world, "DELETE FROM trace_registers");
}

async function expectRefused(world: World): Promise<void> {
  const store = await world.open({ writer: "writer-c", ring: ROTATED });
  await expect(store.record(createTrace({ id: "trace-4" }, ROTATED))).rejects.toMatchObject({
    code: "store_corrupt",
  });
  expect(toProblems(await store.verify()).join()).toMatch(/CHAIN_(?:MISSING|UNLISTED)/);
}

describeOnEachEngine((engine) => {
  /** One trace of each of two writers under one key, then one under the next key. */
  async function createFilledWorld(): Promise<World> {
    const world = createWorld(engine);
    await recordAs(world, "writer-a", "trace-1");
    await recordAs(world, "writer-b", "trace-2");
    const rotated = await world.open({ ring: ROTATED });
    await record(rotated, [{ id: "trace-3" }], ROTATED);
    await rotated.close();
    return world;
  }

  async function verifyAfter(statements: readonly string[]): Promise<readonly string[]> {
    const world = await createFilledWorld();
    for (const sql of statements) await tamper(world, sql);
    return toProblems(await (await world.open({ ring: ROTATED })).verify());
  }

  describe("chains that are gone with all that belongs to them", () => {
    const WHOLE = ["writer-a key_a 1 whole", "writer-a key_b 1 whole", "writer-b key_a 1 whole"];

    test("nothing is missing where nothing was done", async () => {
      expect(await verifyAfter([])).toEqual(WHOLE);
    });

    test.each([
      [
        "one chain",
        ["DELETE FROM traces WHERE chain LIKE 'writer-b%'", "DELETE FROM trace_chains WHERE chain LIKE 'writer-b%'"],
        ["writer-a key_a 1 whole", "writer-a key_b 1 whole", "writer-b key_a CHAIN_MISSING"],
      ],
      [
        "all chains of a key",
        FORGET_A,
        ["writer-a key_b 1 whole", "writer-a key_a CHAIN_MISSING", "writer-b key_a CHAIN_MISSING"],
      ],
      [
        "all chains of a key, and their register",
        [...FORGET_A, "DELETE FROM trace_registers WHERE key_id = 'key_a'"],
        ["writer-a key_b 1 whole", " key_a CHAIN_MISSING"],
      ],
      [
        "all chains of a key, and they in their register",
        [...FORGET_A, `UPDATE trace_registers SET document = '{"chains":[],"earlierKeys":[]}' WHERE key_id = 'key_b'`],
        ["writer-a key_b CHAIN_UNLISTED", "writer-a key_a CHAIN_MISSING", "writer-b key_a CHAIN_MISSING"],
      ],
      [
        "every register",
        ["DELETE FROM trace_registers"],
        ["writer-a key_a CHAIN_UNLISTED", "writer-a key_b CHAIN_UNLISTED", "writer-b key_a CHAIN_UNLISTED"],
      ],
      [
        "a register, for that of another key",
        [
          "UPDATE trace_registers SET (document, signature) = (SELECT document, signature FROM trace_registers WHERE key_id = 'key_b') WHERE key_id = 'key_a'",
        ],
        ["writer-a key_a CHAIN_UNLISTED", "writer-a key_b 1 whole", "writer-b key_a CHAIN_UNLISTED"],
      ],
    ])("%s: it shows", async (_what, statements, problems) => {
      expect(await verifyAfter(statements)).toEqual(problems);
    });
  });

  describe("a register that was tampered with isn't signed over", () => {
    test.each([
      ["deleted", ["DELETE FROM trace_registers"]],
      ["changed", ["UPDATE trace_registers SET document = REPLACE(document, 'writer-a', 'writer-z')"]],
    ])("when it is %s", async (_what, statements) => {
      const world = await createFilledWorld();
      for (const sql of statements) await tamper(world, sql);
      await expectRefused(world);
    });

    test("when the chain that it has is opened anew", async () => {
      const world = createWorld(engine);
      await recordAs(world, "writer-a", "trace-1");
      for (const sql of FORGET_A) await tamper(world, sql);
      const store = await world.open();
      await expect(store.record(createTrace({ id: "trace-2" }))).rejects.toMatchObject({ code: "store_corrupt" });
      expect(toProblems(await store.verify())).toEqual(["writer-a key_a CHAIN_MISSING"]);
    });
  });

  test("chains of a store that had no registers are whole without one, and others are opened beside them", async () => {
    const world = createWorld(engine);
    await recordAs(world, "writer-a", "trace-1");
    await turnIntoEarlier(world);
    const store: TraceStore = await world.open();
    expect(toProblems(await store.verify())).toEqual(["writer-a key_a 1 whole"]);
    await record(store, [{ id: "trace-2" }]);
    expect(toProblems(await store.verify())).toEqual(["writer-a key_a 1 whole", "writer-a key_a 1 whole"]);
  });

  test("two keysets with a key of one id keep registers of their own, and neither loses a trace", async () => {
    const world = createWorld(engine);
    const other = createRing([{ id: "key_a", state: "active", byte: 9 }]);
    const store = await world.open();
    await record(store, [{ id: "trace-1" }]);
    const signer = { ring: other, audit: "required" } as const;
    await store.record(createTrace({ id: "trace-2" }, other), signer);
    await store.record(createTrace({ id: "trace-3" }));
    expect(toProblems(await store.verify())).toContain("writer-a key_a 2 whole");
    const theirs = await world.open({ ring: other, writer: "writer-b" });
    expect(toProblems(await theirs.verify())).toContain("writer-a.2 key_a 1 whole");
  });
});
