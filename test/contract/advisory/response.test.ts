import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { verifies } from "../../support/verifies.ts";
import { readRetrieveResponse } from "../../../packages/decision-context/src/recall/read-response.ts";

const ITEM = { resource_ref: "r1", summary: "Public-safe generic summary", content: "exact content", score: 0.5 };
const ANSWER = {
  schema_version: "decision_context_advisory_retrieve_response_v0",
  ok: true,
  status: "completed",
  reason_code: null as string | null,
  items: [ITEM] as object[],
};

function pointerOf(response: unknown, maxResults = 4): string | undefined {
  const read = readRetrieveResponse(response, maxResults);
  return read.ok ? undefined : read.problems[0]?.pointer;
}

describe("an answer of the contract", () => {
  test("is taken, with no item too", () => {
    expect(readRetrieveResponse(ANSWER, 4)).toEqual({ ok: true, value: { status: "completed", items: [ITEM] } });
    expect(pointerOf({ ...ANSWER, items: [] })).toBeUndefined();
  });

  test("may say that nothing is to be had, and why", () => {
    const unavailable = { ...ANSWER, status: "unavailable", reason_code: "session_not_found", items: [] };
    expect(readRetrieveResponse(unavailable, 4)).toMatchObject({
      value: { status: "unavailable", reason_code: "session_not_found" },
    });
  });

  test("may have any finite score", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (score) => {
        expect(pointerOf({ ...ANSWER, items: [{ ...ITEM, score }] })).toBeUndefined();
      }),
    );
  });

  test("counts characters, not UTF-16 units, and cuts a long summary", () => {
    expect(pointerOf({ ...ANSWER, items: [{ ...ITEM, content: "\u{1f600}".repeat(16_000) }] })).toBeUndefined();
    const read = readRetrieveResponse({ ...ANSWER, items: [{ ...ITEM, summary: "word ".repeat(80) }] }, 4);
    const summary = read.ok && read.value.status === "completed" ? (read.value.items[0]?.summary ?? "") : "";
    expect([summary.length <= 220, summary.endsWith("…")]).toEqual([true, true]);
  });
});

describe("an answer that breaks the contract", () => {
  test.each<[string, unknown, string]>([
    ["no object", [], ""],
    ["another schema", { ...ANSWER, schema_version: "v1" }, "/schema_version"],
    ["ok that is not true", { ...ANSWER, ok: 1 }, "/ok"],
    ["an unknown field", { ...ANSWER, note: "" }, "/note"],
    ["an unknown status", { ...ANSWER, status: "partial" }, "/status"],
    ["items that are no list", { ...ANSWER, items: {} }, "/items"],
    ["more items than asked for", { ...ANSWER, items: [ITEM, ITEM, ITEM, ITEM, ITEM] }, "/items"],
    ["a missing field of an item", { ...ANSWER, items: [{ ...ITEM, summary: undefined }] }, "/items/0/summary"],
    ["an unknown field of an item", { ...ANSWER, items: [{ ...ITEM, role: "user" }] }, "/items/0/role"],
    [
      "a reference over 512",
      { ...ANSWER, items: [{ ...ITEM, resource_ref: "r".repeat(513) }] },
      "/items/0/resource_ref",
    ],
    ["content over 16,000", { ...ANSWER, items: [{ ...ITEM, content: "c".repeat(16_001) }] }, "/items/0/content"],
    ["blank content", { ...ANSWER, items: [{ ...ITEM, content: " \n" }] }, "/items/0/content"],
    ["a path in a summary", { ...ANSWER, items: [{ ...ITEM, summary: "see /home/someone/x" }] }, "/items/0/summary"],
    ["a link in a summary", { ...ANSWER, items: [{ ...ITEM, summary: "at https://host/x" }] }, "/items/0/summary"],
  ])("is refused: %s", (_, response, pointer) => {
    verifies("advisory.response-is-strict");
    expect(pointerOf(response)).toBe(pointer);
  });

  test.each([[null], ["0.5"], [true], [undefined], [Number.NaN], [Number.POSITIVE_INFINITY]])(
    "is refused: a score that is %s",
    (score) => {
      verifies("advisory.score-is-a-number");
      expect(pointerOf({ ...ANSWER, items: [{ ...ITEM, score }] })).toBe("/items/0/score");
    },
  );

  test.each([
    ["items though unavailable", { status: "unavailable", reason_code: "busy" }, "/items"],
    ["unavailable for no reason", { status: "unavailable", items: [] }, "/reason_code"],
    ["completed with a reason", { reason_code: "busy" }, "/reason_code"],
    ["a reason of several words", { status: "unavailable", reason_code: "not now", items: [] }, "/reason_code"],
  ])("is refused: %s", (_, change, pointer) => {
    verifies("advisory.unavailable-has-no-items");
    expect(pointerOf({ ...ANSWER, ...change })).toBe(pointer);
  });
});
