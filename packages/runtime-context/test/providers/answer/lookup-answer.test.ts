import { toInstant } from "@loopx/contracts";
import { describe, expect, test } from "vitest";
import { parseLookupAnswer, type AnswerBounds } from "../../../src/providers/answer/lookup-answer.ts";
import { parseUpdatedAt } from "../../../src/providers/answer/updated-at.ts";

const BOUNDS: AnswerBounds = {
  limit: 2,
  itemBytes: 16,
  maxAgeSeconds: null,
  now: toInstant(Date.UTC(2026, 9, 9, 12)),
};
const ITEM = { id: "CUST-1042", content: "Renewal in March" };
const ANSWER = { contract: "context-provider.v1", items: [ITEM] };

function parse(value: unknown, bounds: Partial<AnswerBounds> = {}): unknown {
  return parseLookupAnswer(value, { ...BOUNDS, ...bounds });
}

describe("parseLookupAnswer", () => {
  test("needs contract, items, and each item's id and content; the rest has a default", () => {
    expect(parse(ANSWER)).toEqual({
      items: [{ id: "CUST-1042", title: null, content: "Renewal in March", metadata: {}, updatedAt: null }],
      currentness: "UNKNOWN",
      revision: null,
      version: null,
    });
  });

  test("keys that begin with x- are dropped, at the top and in items (J11)", () => {
    const answer = { ...ANSWER, "x-trace": { deep: [1] }, items: [{ ...ITEM, "x-score": 0.5 }] };
    expect(parse(answer)).toEqual(parse(ANSWER));
  });

  test("minus zero in metadata becomes zero", () => {
    const answer = { ...ANSWER, items: [{ ...ITEM, metadata: { balance: -0 } }] };
    expect(parse(answer)).toMatchObject({ items: [{ metadata: { balance: 0 } }] });
  });

  test.each([
    ["no object", [], "FIELD_TYPE", ""],
    ["no contract", { items: [] }, "MISSING_FIELD", "/contract"],
    ["a contract that is no text", { ...ANSWER, contract: 1 }, "FIELD_TYPE", "/contract"],
    ["no items", { contract: ANSWER.contract }, "MISSING_FIELD", "/items"],
    ["items that are no list", { ...ANSWER, items: {} }, "FIELD_TYPE", "/items"],
    ["an unknown field", { ...ANSWER, total: 1 }, "UNKNOWN_FIELD", "/total"],
    ["a version that is no text", { ...ANSWER, version: 5 }, "FIELD_TYPE", "/version"],
    ["a revision of 257 characters", { ...ANSWER, revision: "r".repeat(257) }, "FIELD_LENGTH", "/revision"],
    ["an unknown currentness", { ...ANSWER, currentness: "FRESH" }, "CURRENTNESS", "/currentness"],
    ["an item that is no object", { ...ANSWER, items: ["x"] }, "FIELD_TYPE", "/items/0"],
    ["an unknown field in an item", { ...ANSWER, items: [{ ...ITEM, html: "" }] }, "UNKNOWN_FIELD", "/items/0/html"],
    ["a field whose name may be a record's", { ...ANSWER, "CUST-1042": 1 }, "UNKNOWN_FIELD", ""],
    ["a field whose name is a text", { ...ANSWER, items: [{ ...ITEM, "is a text": "" }] }, "UNKNOWN_FIELD", "/items/0"],
    ["an item without id", { ...ANSWER, items: [{ content: "" }] }, "MISSING_FIELD", "/items/0/id"],
    ["an item with an empty id", { ...ANSWER, items: [{ ...ITEM, id: "" }] }, "FIELD_LENGTH", "/items/0/id"],
    ["an item without content", { ...ANSWER, items: [{ id: "a" }] }, "MISSING_FIELD", "/items/0/content"],
    ["content that is no text", { ...ANSWER, items: [{ ...ITEM, content: 1 }] }, "FIELD_TYPE", "/items/0/content"],
    [
      "metadata in levels",
      { ...ANSWER, items: [{ ...ITEM, metadata: { a: {} } }] },
      "METADATA_VALUE",
      "/items/0/metadata",
    ],
    [
      "a metadata value of 1,025 bytes",
      { ...ANSWER, items: [{ ...ITEM, metadata: { a: "é".repeat(513) } }] },
      "METADATA_VALUE",
      "/items/0/metadata",
    ],
    [
      "33 metadata keys",
      {
        ...ANSWER,
        items: [{ ...ITEM, metadata: Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`k${index}`, 1])) }],
      },
      "METADATA_KEYS",
      "/items/0/metadata",
    ],
    [
      "an updatedAt that is no RFC 3339",
      { ...ANSWER, items: [{ ...ITEM, updatedAt: "yesterday" }] },
      "UPDATED_AT",
      "/items/0/updatedAt",
    ],
    ["two items of one id", { ...ANSWER, items: [ITEM, ITEM] }, "DUPLICATE_ID", "/items/1/id"],
  ])("refuses %s", (_name, value, reason, pointer) => {
    expect(parse(value)).toEqual({ status: "INVALID_RESPONSE", reason, finding: { pointer, rule: null } });
  });

  test("another contract is INCOMPATIBLE, whatever else it holds (U9)", () => {
    expect(parse({ contract: "context-provider.v2", records: [] })).toMatchObject({
      status: "INCOMPATIBLE",
      reason: "CONTRACT",
    });
  });

  test("one item more than the limit, or one byte more than an item may have, is LIMIT_EXCEEDED and nothing is cut", () => {
    const three = [1, 2, 3].map((id) => ({ ...ITEM, id: String(id) }));
    expect(parse({ ...ANSWER, items: three })).toMatchObject({ status: "LIMIT_EXCEEDED", reason: "ITEMS" });
    expect(parse({ ...ANSWER, items: three }, { limit: 3 })).toMatchObject({ items: [{}, {}, {}] });
    const wide = { ...ITEM, content: "é".repeat(8) };
    expect(parse({ ...ANSWER, items: [wide] })).toMatchObject({ items: [{ content: "éééééééé" }] });
    const wider = { ...ITEM, content: `${"é".repeat(8)}.` };
    expect(parse({ ...ANSWER, items: [wider] })).toMatchObject({ status: "LIMIT_EXCEEDED", reason: "ITEM_BYTES" });
  });

  test.each([
    { why: "as stated", stated: "CURRENT", maxAgeSeconds: null, updatedAt: "2026-10-08", expected: "CURRENT" },
    { why: "as stated", stated: "STALE", maxAgeSeconds: null, updatedAt: "2026-10-08", expected: "STALE" },
    {
      why: "a time over a day ahead",
      stated: "CURRENT",
      maxAgeSeconds: null,
      updatedAt: "2026-10-10T12:00:01Z",
      expected: "UNKNOWN",
    },
    {
      why: "a clock a little ahead",
      stated: "CURRENT",
      maxAgeSeconds: 60,
      updatedAt: "2026-10-09T12:30:00Z",
      expected: "CURRENT",
    },
    {
      why: "older than the limit",
      stated: "CURRENT",
      maxAgeSeconds: 3600,
      updatedAt: "2026-10-09T10:59:59Z",
      expected: "STALE",
    },
    {
      why: "within the limit",
      stated: "CURRENT",
      maxAgeSeconds: 3600,
      updatedAt: "2026-10-09T13:00:00+02:00",
      expected: "CURRENT",
    },
    {
      why: "a date, from its first moment",
      stated: "CURRENT",
      maxAgeSeconds: 3600,
      updatedAt: "2026-10-09",
      expected: "STALE",
    },
    {
      why: "no age shown under a limit",
      stated: "CURRENT",
      maxAgeSeconds: 3600,
      updatedAt: undefined,
      expected: "UNKNOWN",
    },
    {
      why: "a limit makes nothing current",
      stated: "UNKNOWN",
      maxAgeSeconds: 3600,
      updatedAt: "2026-10-09T12:00:00Z",
      expected: "UNKNOWN",
    },
  ])("$stated is $expected: $why", ({ stated, maxAgeSeconds, updatedAt, expected }) => {
    const answer = { ...ANSWER, currentness: stated, items: [{ ...ITEM, updatedAt }] };
    expect(parse(answer, { maxAgeSeconds })).toMatchObject({ currentness: expected });
  });
});

describe("parseUpdatedAt", () => {
  test.each([
    ["2026-10-08", Date.UTC(2026, 9, 8)],
    ["2026-10-08T01:02:03Z", Date.UTC(2026, 9, 8, 1, 2, 3)],
    ["2026-10-08t01:02:03.5z", Date.UTC(2026, 9, 8, 1, 2, 3, 500)],
    ["2026-10-08 01:02:03+02:00", Date.UTC(2026, 9, 7, 23, 2, 3)],
    ["2016-12-31T23:59:60Z", Date.UTC(2017, 0, 1)],
    ["2024-02-29", Date.UTC(2024, 1, 29)],
  ])("%s is a moment", (text, epochMs) => {
    expect(parseUpdatedAt(text)).toBe(epochMs);
  });

  test.each([
    "",
    "2026",
    "2026-02-30",
    "2025-02-29",
    "2026-13-01",
    "2026-10-08T24:00:00Z",
    "2026-10-08T01:02:03",
    "2026-10-08T01:60:03Z",
    "2026-10-08T01:02:03+25:00",
    "8 Oct 2026",
    "2026-10-08\n",
    "1760000000",
  ])("%j is none", (text) => {
    expect(parseUpdatedAt(text)).toBeUndefined();
  });
});
