import { describe, expect, test } from "vitest";
import { answerRequest, budgetMs } from "../../src/advisory/answer-request.ts";
import type { AdvisoryProviderDefinition } from "../../src/index.ts";
import { type RetrievedItem, unavailable } from "../../src/index.ts";
import { sinceStartMs } from "../../src/process/since-start.ts";
import { someRequest, toBytes } from "./some-request.ts";

const ITEM = { resource_ref: "place:1", summary: "A note", content: "What it says", score: -0.5 };

function answer(retrieve: AdvisoryProviderDefinition["retrieve"], changes: Record<string, unknown> = {}) {
  const options = { args: ["--flag"], startedAtMs: sinceStartMs() };
  return answerRequest({ doctor: () => true, retrieve }, toBytes(someRequest(changes)), options);
}

function unavailableWith(reasonCode: string) {
  return {
    schema_version: "decision_context_advisory_retrieve_response_v0",
    ok: true,
    status: "unavailable",
    reason_code: reasonCode,
    items: [],
  };
}

describe("answering a request", () => {
  test("gives the items in their order, with every field of the contract and no other", async () => {
    expect(await answer(() => [ITEM, { ...ITEM, score: 2 }])).toEqual({
      response: {
        schema_version: "decision_context_advisory_retrieve_response_v0",
        ok: true,
        status: "completed",
        reason_code: null,
        items: [ITEM, { ...ITEM, score: 2 }],
      },
    });
  });

  test("nothing found is a completed answer", async () => {
    const { response } = await answer(() => []);
    expect(response).toMatchObject({ status: "completed", reason_code: null, items: [] });
  });

  test("gives no more items than were asked for", async () => {
    const { response } = await answer(() => [ITEM, ITEM, ITEM], { max_results: 2 });
    expect(response.items).toHaveLength(2);
  });

  test("hands over the request, the words of the command line and the time that is left", async () => {
    let seen: unknown[] = [];
    await answer((request, { args, remainingMs, signal }) => {
      seen = [request, args, remainingMs() > 7000 && remainingMs() <= 8000, signal.aborted];
      return [];
    });
    expect(seen).toEqual([someRequest(), ["--flag"], true, false]);
  });

  test("a reason is passed on", async () => {
    expect((await answer(() => unavailable("store_missing"))).response).toEqual(unavailableWith("store_missing"));
  });

  test("a request that breaks the contract reaches no provider", async () => {
    let calls = 0;
    const counted = () => {
      calls += 1;
      return [];
    };
    expect(await answer(counted, { operation: "sync" })).toEqual({
      response: unavailableWith("request_invalid"),
      fault: "operation has to be exactly retrieve",
    });
    expect(calls).toBe(0);
  });

  test("what is thrown becomes a reason, and its text stays out of response and fault", async () => {
    for (const thrown of [new Error("canary"), "canary", new Proxy({}, {}), null]) {
      const { response, fault } = await answer(() => {
        throw thrown;
      });
      expect(response).toEqual(unavailableWith("provider_error"));
      expect(fault).toBe("retrieve threw");
    }
    const rejected = await answer(() => Promise.reject(new Error("canary")));
    expect(rejected.response).toEqual(unavailableWith("provider_error"));
  });

  test("a reason with a path or a sentence in it is refused where it is made", async () => {
    for (const reason of ["/home/me", "Not Found", "", "x".repeat(65), "a b"])
      expect(() => unavailable(reason)).toThrow(TypeError);
    expect((await answer(() => ({ reasonCode: "/home/me" }))).response).toEqual(
      unavailableWith("provider_answer_invalid"),
    );
  });

  test.each<[string, unknown]>([
    ["has other fields", { ...ITEM, path: "x" }],
    ["has other fields", { resource_ref: "r", summary: "s", content: "c" }],
    ["is no object", "text"],
    ["score", { ...ITEM, score: Number.NaN }],
    ["score", { ...ITEM, score: Infinity }],
    ["score", { ...ITEM, score: null }],
    ["score", { ...ITEM, score: "1" }],
    ["content", { ...ITEM, content: " \n" }],
    ["content", { ...ITEM, content: "x".repeat(16_001) }],
    ["summary", { ...ITEM, summary: "x".repeat(221) }],
    ["resource_ref", { ...ITEM, resource_ref: "x".repeat(513) }],
  ])("an item whose fault is that it %s makes the whole answer invalid", async (says, item) => {
    const { response, fault } = await answer(() => [ITEM, item as RetrievedItem]);
    expect(response).toEqual(unavailableWith("provider_answer_invalid"));
    expect(fault).toContain("items[1] ");
    expect(fault).toContain(says);
  });

  test("neither a list nor a reason is an invalid answer", async () => {
    for (const given of [undefined, null, "text", {}, { items: [ITEM] }])
      expect((await answer(() => given as never)).response).toEqual(unavailableWith("provider_answer_invalid"));
  });

  test("eight items at their bounds, each character a six-byte escape, fit what LoopX reads", async () => {
    const item = { ...ITEM, content: `x${"\u0001".repeat(15_999)}`, summary: `x${"\u0001".repeat(219)}` };
    const { response } = await answer(() => Array.from({ length: 8 }, () => item), { max_results: 8 });
    expect(response.items).toHaveLength(8);
    expect(Buffer.byteLength(JSON.stringify(response))).toBeLessThan(1_000_000);
  });

  test("a lone surrogate is replaced, since no reader of strict JSON takes it", async () => {
    const { response } = await answer(() => [{ ...ITEM, content: "a\ud83d" }]);
    expect(response.items[0]?.content).toBe("a\ufffd");
  });

  test("one that takes too long is told to stop, and the answer says so before the caller's deadline", async () => {
    let wasTold = false;
    const { response } = await answer(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            wasTold = true;
            reject(new Error("stopped"));
          });
        }),
      { timeout_seconds: 1 },
    );
    expect(response).toEqual(unavailableWith("deadline_exceeded"));
    expect(wasTold).toBe(true);
  });

  test("a fifth of the time is kept back, and at most two seconds", () => {
    expect([1, 5, 10, 30, 120].map(budgetMs)).toEqual([800, 4000, 8000, 28_000, 118_000]);
  });
});
