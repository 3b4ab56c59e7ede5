import { copyFileSync, renameSync, rmSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createRing, createTrace } from "./sample-trace.ts";
import { describeOnEachEngine } from "./trace-engines.ts";
import { createWorld, record } from "./trace-world.ts";

describeOnEachEngine((engine) => {
  describe("writing", () => {
    test("a trace comes back as it was written", async () => {
      const store = await createWorld(engine).open();
      const sample = createTrace({ id: "trace-7" });
      await store.record(sample);
      expect(await store.find("trace-7")).toEqual(sample.trace);
      expect(await store.find("trace-8")).toBeUndefined();
      expect(store.status).toEqual({ storedCount: 1, pendingCount: 0, lostCount: 0, lastLossCode: null });
    });

    test("with a required audit a trace is durable when its turn goes on", async () => {
      const world = createWorld(engine);
      const store = await world.open();
      await store.record(createTrace({ id: "trace-1" }));
      const beside = await world.openBeside();
      expect(await beside.read((tx) => tx.get("SELECT trace_id AS id FROM traces"))).toEqual({ id: "trace-1" });
    });

    test("with a required audit a trace that can't be written fails its turn", async () => {
      const store = await createWorld(engine).open();
      await store.record(createTrace({ id: "trace-1" }));
      await expect(store.record(createTrace({ id: "trace-1" }))).rejects.toMatchObject({ code: "store_failed" });
      expect(store.status).toMatchObject({ storedCount: 1, lostCount: 1, lastLossCode: "store_failed" });
    });

    test("otherwise a turn doesn't wait, and a loss takes no other trace with it and is counted", async () => {
      const store = await createWorld(engine).open({ audit: "best_effort" });
      for (const id of ["trace-1", "trace-2", "trace-1", "trace-3"]) await store.record(createTrace({ id }));
      expect(store.status).toMatchObject({ storedCount: 0, pendingCount: 4 });
      await store.flush();
      expect(store.status).toEqual({ storedCount: 3, pendingCount: 0, lostCount: 1, lastLossCode: "store_failed" });
      expect(await store.verify()).toMatchObject([{ verdict: { ok: true, count: 3 } }]);
    });

    test("traces are written without anybody asking for it", async () => {
      const store = await createWorld(engine).open({ audit: "best_effort" });
      await store.record(createTrace({ id: "trace-1" }));
      await expect.poll(() => store.status.storedCount).toBe(1);
      await store.record(createTrace({ id: "trace-2" }));
      await expect.poll(() => store.status.storedCount).toBe(2);
    });

    test("what comes while a batch is written isn't left behind", async () => {
      const store = await createWorld(engine).open();
      const ids = Array.from({ length: 120 }, (_, index) => `trace-${index}`);
      await Promise.all(ids.map((id) => store.record(createTrace({ id }))));
      expect(store.status).toMatchObject({ storedCount: 120, pendingCount: 0 });
    });

    test("closing writes what is pending", async () => {
      const world = createWorld(engine);
      const store = await world.open({ audit: "best_effort" });
      await store.record(createTrace({ id: "trace-1" }));
      await store.close();
      expect((await (await world.open()).find("trace-1"))?.id).toBe("trace-1");
    });

    test("a writer's name that could be taken for two is refused", async () => {
      await expect(createWorld(engine).open({ writer: "a/2026-11" })).rejects.toMatchObject({ code: "invalid_id" });
    });
  });

  describe("chains", () => {
    test("each writer, month and key has its own", async () => {
      const world = createWorld(engine);
      const turns = [{ id: "a1" }, { id: "a2", at: "2026-12-01T00:00:00.000Z" }, { id: "a3" }];
      await record(await world.open({ writer: "writer-a" }), turns);
      await record(await world.open({ writer: "writer-b" }), [{ id: "b1" }]);
      const rotated = createRing([
        { id: "key_a", state: "verify_only", byte: 1 },
        { id: "key_b", state: "active", byte: 2 },
      ]);
      const store = await world.open({ ring: rotated });
      await record(store, [{ id: "a4" }], rotated);
      const found = (await store.verify()).map(({ writer, partition, keyId, verdict }) => [
        writer,
        partition,
        keyId,
        verdict,
      ]);
      expect(found).toEqual([
        ["writer-a", "2026-11", "key_a", { ok: true, count: 2 }],
        ["writer-a", "2026-11", "key_b", { ok: true, count: 1 }],
        ["writer-a", "2026-12", "key_a", { ok: true, count: 1 }],
        ["writer-b", "2026-11", "key_a", { ok: true, count: 1 }],
      ]);
    });

    test("traces of another deployment go to a chain of their own, which only its keys check", async () => {
      const world = createWorld(engine);
      const [own, other] = [createRing(), createRing(undefined, "staging")];
      const store = await world.open({ ring: own, audit: "best_effort" });
      const traces = ["a1", "b1", "a2", "b2"].map((id, index) => {
        const signer = { ring: index % 2 === 0 ? own : other, audit: "best_effort" as const };
        return store.record(createTrace({ id }, signer.ring), signer);
      });
      await Promise.all(traces);
      await store.flush();
      expect(store.status).toMatchObject({ storedCount: 4, lostCount: 0 });
      const whole = { ok: true, count: 2 };
      const foreign = { ok: false, firstBadSequence: 1, problem: "OTHER_DEPLOYMENT" };
      expect(await store.verify()).toMatchObject([
        { writer: "writer-a.2", verdict: foreign },
        { writer: "writer-a", verdict: whole },
      ]);
      expect(await (await world.open({ ring: other })).verify()).toMatchObject([
        { writer: "writer-a.2", verdict: whole },
        { writer: "writer-a", verdict: foreign },
      ]);
    });

    test("a trace whose deployment demands an audit waits for the disk, whatever the first one asked for", async () => {
      const store = await createWorld(engine).open({ audit: "best_effort" });
      await store.record(createTrace({ id: "a1" }), { ring: createRing(), audit: "required" });
      expect(store.status).toMatchObject({ storedCount: 1, lostCount: 0 });
      await store.record(createTrace({ id: "a2" }));
      expect(store.status).toMatchObject({ storedCount: 1, lostCount: 0 });
      await store.flush();
      expect(await store.verify()).toMatchObject([{ verdict: { ok: true, count: 2 } }]);
    });

    test("a writer that starts again goes on with its chain", async () => {
      const world = createWorld(engine);
      for (const id of ["trace-1", "trace-2"]) {
        const store = await world.open();
        await store.record(createTrace({ id }));
        await store.close();
      }
      expect(await (await world.open()).verify()).toMatchObject([{ verdict: { ok: true, count: 2 } }]);
    });
  });
});

describe("a store whose file goes while it is open", () => {
  test.each([
    ["deleted", (path: string) => rmSync(path)],
    ["replaced", (path: string) => (renameSync(path, `${path}.old`), copyFileSync(`${path}.old`, path))],
  ])("loses what comes after it was %s, and says so", async (_how, take) => {
    const world = createWorld("sqlite");
    const store = await world.open({ audit: "best_effort" });
    await record(store, [{ id: "trace-1" }]);
    take(world.place);
    await record(store, [{ id: "trace-2" }, { id: "trace-3" }]);
    expect(store.status).toMatchObject({ storedCount: 1, lostCount: 2, lastLossCode: "store_missing" });
    const audited = { ring: createRing(), audit: "required" as const };
    await expect(store.record(createTrace({ id: "trace-4" }), audited)).rejects.toMatchObject({
      code: "store_missing",
    });
  });
});
