import { openSqlite, type Database, type SqlValue } from "@loopx/store";
import * as fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import type { RetentionRule } from "../../src/binding/deployment-binding.ts";
import type { ContextBuild } from "../../src/build/context-build.ts";
import { PROVIDER_STATUSES, type ProviderOutcome } from "../../src/providers/provider-outcome.ts";
import { TRACE_MIGRATIONS } from "../../src/trace/trace-schema.ts";
import { PROVIDER_IDS, randomTurn } from "../kernel/random-turn.ts";
import {
  createBuild,
  createItem,
  createOutcome,
  createRequest,
  createRule,
  CUSTOMER,
  NOW,
  ORDERS,
  POLICY,
} from "../kernel/support-desk.ts";
import { BINDING, createRing } from "../trace/sample-trace.ts";
import { openRecordingDesk, type RecordedCase, type RecordingDesk } from "./recording-desk.ts";

const CANARY = "heliotrope quartz canary";
const RULES = [POLICY, CUSTOMER, ORDERS].map(({ id }, index) => createRule({ layer: id, priority: index }));
const BUILD = createBuild({ layers: [POLICY, CUSTOMER, ORDERS], rules: RULES });
const ANSWERED = createOutcome({
  items: [createItem({ id: "RECORD-77", title: "Ms Quill", content: `A note: ${CANARY}`, metadata: { plan: "x" } })],
});

const open: RecordingDesk[] = [];
afterEach(async () => {
  for (const desk of open.splice(0)) await desk.close();
});

async function openDesk(rule?: RetentionRule): Promise<RecordingDesk> {
  const desk = await openRecordingDesk(["customer-data", "order-data"], rule);
  open.push(desk);
  return desk;
}

function toCase(customer: ProviderOutcome, build: ContextBuild = BUILD): RecordedCase {
  const request = createRequest({ customerId: "CUST-1042" });
  return { build, request, outcomes: { "customer-data": customer } };
}

async function tamper(desk: RecordingDesk, sql: string, ...parameters: SqlValue[]): Promise<void> {
  const database = await openBeside(desk);
  expect(await database.write((tx) => tx.run(sql, ...parameters))).toBeGreaterThan(0);
  await database.close();
}

/** The same store as another process has it. */
function openBeside({ path }: RecordingDesk): Promise<Database> {
  const migrations = TRACE_MIGRATIONS;
  return openSqlite({ path, label: "traces", access: "write", journal: "wal", migrations, now: () => NOW });
}

describe("a turn whose inputs are all there", () => {
  test("is reproduced to the byte, whatever the project, the request and the answers", async () => {
    const desk = await openRecordingDesk(PROVIDER_IDS);
    open.push(desk);
    await fc.assert(
      fc.asyncProperty(randomTurn, async (turn) => {
        const answer = await desk.turn(turn);
        const reproduction = await desk.reproduce(answer, turn.build);
        expect(reproduction).toEqual({ verdict: "EXACT", trace: answer.trace, result: expect.anything() });
        expect("result" in reproduction && reproduction.result.rendered).toBe(answer.result.rendered);
      }),
      { numRuns: 150 },
    );
  });

  test("is reproduced as it was after its key was rotated and the clock went on", async () => {
    const desk = await openDesk();
    const answer = await desk.turn(toCase(ANSWERED));
    const ring = createRing([
      { id: "key_a", state: "verify_only", byte: 1 },
      { id: "key_b", state: "active", byte: 2 },
    ]);
    desk.clock.nowMs += 600_000;
    expect(await desk.reproduce(answer, BUILD, { ring })).toMatchObject({
      verdict: "EXACT",
      result: { rendered: answer.result.rendered },
    });
  });

  test.each(PROVIDER_STATUSES.filter((status) => status !== "OK"))(
    "a provider's %s is replayed without any content",
    async (status) => {
      const desk = await openDesk({ retention: "none" });
      const answer = await desk.turn(toCase(createOutcome({ status, reason: "SOME_REASON" })));
      expect(await desk.reproduce(answer, BUILD)).toMatchObject({ verdict: "EXACT" });
    },
  );

  test("an answer without items, a refused value and a missing input need no content either", async () => {
    const desk = await openDesk({ retention: "none" });
    const empty = await desk.turn(toCase(createOutcome({ items: [] })));
    const requests = [{ customerId: "not-a-customer" }, { customerId: "" }, {}];
    const others = await Promise.all(
      requests.map((inputs) => desk.turn({ build: BUILD, request: createRequest(inputs), outcomes: {} })),
    );
    for (const answer of [empty, ...others]) {
      expect(await desk.reproduce(answer, BUILD)).toMatchObject({
        verdict: "EXACT",
        result: { rendered: answer.result.rendered },
      });
    }
  });
});

test("exact inputs that give something else have diverged, and it is said where", async () => {
  const desk = await openDesk();
  const answer = await desk.turn(toCase(ANSWERED));
  // Stands for a program that renders otherwise: a build of the same digest that isn't the same.
  const other = createBuild({ layers: [POLICY, { ...CUSTOMER, name: "Client of ours" }, ORDERS], rules: RULES });
  const reproduction = await desk.reproduce(answer, other);
  expect(reproduction).toMatchObject({ verdict: "DIVERGED" });
  const differences = "differences" in reproduction ? reproduction.differences : [];
  expect(differences.map(({ part, layer }) => [part, layer])).toContainEqual(["layers", CUSTOMER.id]);
  expect(differences.map(({ part }) => part)).toContain("renderedDigest");
  expect(JSON.stringify(differences)).not.toContain(CANARY);
});

describe("what was kept", () => {
  test("is nowhere on disk in plain, and the trace says that it is kept", async () => {
    const desk = await openDesk();
    const { trace } = await desk.turn(toCase(ANSWERED));
    expect(trace.providers[0]).toMatchObject({ retention: "content", contentRetained: true });
    const bytes = desk.readFiles();
    expect(bytes).toContain(trace.id);
    for (const secret of [
      CANARY,
      "RECORD-77",
      "Ms Quill",
      "CUST-1042",
      Buffer.from(CANARY).toString("base64").slice(4, -4),
    ]) {
      expect(bytes).not.toContain(secret);
    }
  });

  test("of `digest` is a digest, of `none` not even that", async () => {
    const digest = await (await openDesk({ retention: "digest" })).turn(toCase(ANSWERED));
    const none = await (await openDesk({ retention: "none" })).turn(toCase(ANSWERED));
    expect(digest.trace.providers[0]).toMatchObject({ retention: "digest", contentRetained: false });
    expect(digest.trace.providers[0]?.materialDigest).toMatch(/^hmac-sha256:/);
    expect(none.trace.providers[0]).toMatchObject({
      retention: "none",
      contentRetained: false,
      itemFingerprints: [],
      materialDigest: null,
    });
  });

  test("goes when its time is over, and the trace stays and says so", async () => {
    const desk = await openDesk();
    const answer = await desk.turn(toCase(ANSWERED));
    desk.clock.nowMs += 3_599_999;
    expect(await desk.store.purgeExpired()).toBe(0);
    expect(await desk.reproduce(answer, BUILD)).toMatchObject({ verdict: "EXACT" });
    desk.clock.nowMs += 1;
    expect(await desk.reproduce(answer, BUILD)).toMatchObject({ reason: "content_purged" });
    expect([await desk.store.purgeExpired(), await desk.store.purgeExpired()]).toEqual([1, 0]);
    expect((await desk.store.find(answer.trace.id))?.providers[0]).toMatchObject({
      contentRetained: false,
      contentPurgedAt: "2026-11-30T13:00:01.000Z",
    });
    expect(await desk.store.verify()).toMatchObject([{ verdict: { ok: true } }]);
    expect(await desk.reproduce(answer, BUILD)).toEqual({
      verdict: "LIVE_DEPENDENCY_UNAVAILABLE",
      reason: "content_purged",
      provider: "customer-data",
    });
  });

  test("is missed by verifying where it was taken away, and not where it was purged", async () => {
    const desk = await openDesk();
    const [first, second] = [await desk.turn(toCase(ANSWERED)), await desk.turn(toCase(ANSWERED))];
    await desk.store.purge({ traceId: first.trace.id }, "requested");
    expect(await desk.store.verify()).toMatchObject([{ verdict: { ok: true, count: 2 } }]);
    await tamper(desk, "DELETE FROM retained_contents WHERE trace_id = ?", second.trace.id);
    expect(await desk.store.verify()).toMatchObject([
      { verdict: { ok: false, firstBadSequence: 2, problem: "CONTENT_MISSING" } },
    ]);
  });

  test("leaves nothing of itself in any file once it is purged, while another process has the store open", async () => {
    const desk = await openDesk();
    const server = await openBeside(desk);
    const { trace } = await desk.turn(toCase(ANSWERED));
    const sealed = (await desk.store.findRecorded(trace.id))?.contents[0]?.sealed ?? "";
    expect(desk.readFiles()).toContain(sealed.slice(0, 200));
    expect(await desk.store.purge({ traceId: trace.id }, "requested")).toBe(1);
    expect(desk.readFiles()).not.toContain(sealed.slice(0, 200));
    await server.write((tx) => tx.run("UPDATE retained_totals SET bytes = bytes"));
    await server.close();
    expect(await desk.store.verify()).toMatchObject([{ verdict: { ok: true } }]);
  });

  test("says so where another process keeps it in the log, and is taken away by the next call", async () => {
    const desk = await openDesk();
    const { trace } = await desk.turn(toCase(ANSWERED));
    const sealed = (await desk.store.findRecorded(trace.id))?.contents[0]?.sealed ?? "";
    const purge = (): Promise<number> => desk.store.purge({ traceId: trace.id }, "requested");
    const reader = await openBeside(desk);
    await reader.read(async (tx) => {
      await tx.get("SELECT COUNT(*) FROM traces");
      await expect(purge()).rejects.toMatchObject({ code: "store_busy" });
    });
    await reader.close();
    expect(await purge()).toBe(0);
    expect(desk.readFiles()).not.toContain(sealed.slice(0, 200));
  });

  test("gives way to newer content where the quota of its provider is full", async () => {
    const probe = await openDesk();
    const size = (
      (await probe.store.findRecorded((await probe.turn(toCase(ANSWERED))).trace.id))?.contents[0]?.sealed ?? ""
    ).length;
    const desk = await openDesk({ retention: "content", retainSeconds: 3600, retainBytes: 2 * size });
    const turns = [];
    for (let count = 0; count < 4; count += 1) turns.push(await desk.turn(toCase(ANSWERED)));
    const verdicts = [];
    for (const turn of turns) {
      const reproduction = await desk.reproduce(turn, BUILD);
      verdicts.push("reason" in reproduction ? reproduction.reason : reproduction.verdict);
    }
    expect(verdicts).toEqual(["content_purged", "content_purged", "EXACT", "EXACT"]);
    const small = await openDesk({ retention: "content", retainSeconds: 3600, retainBytes: size - 1 });
    const turn = await small.turn(toCase(ANSWERED));
    expect(turn.trace.providers[0]?.contentRetained).toBe(false);
    expect(await small.reproduce(turn, BUILD)).toMatchObject({ reason: "content_not_retained" });
  });
});

describe("without exact inputs the answer is LIVE_DEPENDENCY_UNAVAILABLE, and why", () => {
  const REASONS: readonly (readonly [string, (desk: RecordingDesk) => Promise<object>, string | null])[] = [
    ["build_missing", async () => ({ findBuild: async () => undefined }), null],
    ["build_missing", async () => ({ findBuild: async () => ({ ...BUILD, digest: `${BUILD.digest}0` }) }), null],
    [
      "binding_missing",
      async ({ binding }) => ({ binding: { ...binding, digest: BINDING.digest.replace("0", "1") } }),
      null,
    ],
    ["binding_missing", async () => ({ ring: createRing(undefined, "staging") }), null],
    [
      "key_destroyed",
      async () => ({
        ring: createRing([
          { id: "key_a", state: "destroyed", byte: 1 },
          { id: "key_b", state: "active", byte: 2 },
        ]),
      }),
      null,
    ],
    ["key_unknown", async () => ({ ring: createRing([{ id: "key_b", state: "active", byte: 2 }]) }), null],
    [
      "trace_altered",
      async (desk) => (await tamper(desk, "UPDATE traces SET document = replace(document, 'DEGRADED', 'READY')"), {}),
      null,
    ],
    ["trace_altered", async (desk) => (await tamper(desk, "UPDATE traces SET document = 'no JSON'"), {}), null],
    ["content_missing", async (desk) => (await tamper(desk, "DELETE FROM retained_contents"), {}), "customer-data"],
    [
      "digest_mismatch",
      async (desk) => (
        await tamper(desk, "UPDATE retained_contents SET sealed = replace(sealed, substr(sealed, 200, 1), 'A')"),
        {}
      ),
      "customer-data",
    ],
    [
      "digest_mismatch",
      async (desk) => (await tamper(desk, "UPDATE retained_contents SET sealed = ''"), {}),
      "customer-data",
    ],
    [
      "content_purged",
      async ({ store }) => (await store.purge({ provider: "customer-data" }, "requested"), {}),
      "customer-data",
    ],
  ];
  test.each(REASONS)("%s (%#)", async (reason, prepare, provider) => {
    const desk = await openDesk();
    const answer = await desk.turn(toCase(ANSWERED));
    const parts = await prepare(desk);
    expect(await desk.reproduce(answer, BUILD, parts)).toEqual({
      verdict: "LIVE_DEPENDENCY_UNAVAILABLE",
      reason,
      provider,
    });
  });

  test("content of another turn, even of the same record, is not taken for its own", async () => {
    const desk = await openDesk();
    const [first, second] = [await desk.turn(toCase(ANSWERED)), await desk.turn(toCase(ANSWERED))];
    await tamper(
      desk,
      "UPDATE retained_contents SET sealed = (SELECT sealed FROM retained_contents WHERE trace_id = ?) WHERE trace_id = ?",
      first.trace.id,
      second.trace.id,
    );
    expect(await desk.reproduce(first, BUILD)).toMatchObject({ verdict: "EXACT" });
    expect(await desk.reproduce(second, BUILD)).toMatchObject({ reason: "digest_mismatch" });
  });
});
