import { toCanonicalJson } from "@loopx/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toTraceSafe } from "../../src/trace/trace-safe.ts";
import { createItem, createOutcome, NOW } from "../kernel/support-desk.ts";
import { BINDING, createRing, createTrace, createTurnRecord } from "./sample-trace.ts";

const HMAC = /^hmac-sha256:key_a:[0-9a-f]{64}$/;

describe("provenance of a provider (seed 004)", () => {
  test("an answer is described by names, digests and times", () => {
    const items = [createItem({ id: "CUST-1042" }), createItem({ id: "CUST-1042-b" })];
    const outcome = createOutcome({
      items,
      revision: "crm-r9",
      version: "5.0.1",
      versionSource: "response",
      durationMs: 12.4,
    });
    const { trace } = createTrace({ outcomes: { "customer-data": outcome } });
    expect(trace.providers[0]).toEqual({
      schema: "context.provider.v1",
      provider: "customer-data",
      contract: "context-provider.v1",
      status: "OK",
      reason: null,
      bindingRevision: "binding-r4",
      bindingDigest: BINDING.digest,
      providerType: "http",
      version: "5.0.1",
      versionSource: "response",
      requestDigest: expect.stringMatching(HMAC),
      key: "customerId",
      observedAt: NOW,
      pointer: null,
      revision: "crm-r9",
      currentness: "CURRENT",
      itemLocators: [
        expect.stringMatching(/^customer-data\/item-[0-9a-f]{16}$/),
        expect.stringMatching(/^customer-data\/item-[0-9a-f]{16}$/),
      ],
      itemFingerprints: [expect.stringMatching(HMAC), expect.stringMatching(HMAC)],
      materialDigest: expect.stringMatching(HMAC),
      durationMs: 12,
      attempts: 1,
      retention: "digest",
      contentRetained: false,
      withheld: [],
    });
  });

  test("the request digest is over the body as it is sent, with the lower of the two limits", () => {
    const body =
      '{"capability":"lookup","contract":"context-provider.v1","key":"customerId","limit":1,"provider":"customer-data","value":"CUST-1042"}';
    expect(createTrace().trace.providers[0]?.requestDigest).toBe(
      createRing().keyedDigest("context.provider.v1/request", body),
    );
  });

  test.each(["a\u202e", 'plain \\ "a"\n\t'.repeat(500), '\u202e \\ "a"\n'.repeat(500)])(
    "material and fingerprints are over the items as answered, in order, short or long (%#)",
    (content) => {
      const [first, second] = [createItem({ content }), createItem({ id: "other" })];
      const describeItems = (items: (typeof first)[]) => {
        const { trace } = createTrace({ outcomes: { "customer-data": createOutcome({ items }) } });
        return trace.providers[0]!;
      };
      const both = describeItems([first, second]);
      const swapped = describeItems([second, first]);
      expect(both.materialDigest).toBe(
        createRing().keyedDigest("context.provider.v1/material", toCanonicalJson([first, second])),
      );
      expect(swapped.materialDigest).not.toBe(both.materialDigest);
      expect(swapped.itemFingerprints).toEqual(both.itemFingerprints.toReversed());
      expect(describeItems([first, second])).toEqual(both);
    },
  );

  test.each(["TIMEOUT", "NOT_FOUND", "NOT_BOUND"] as const)("%s is recorded without items", (status) => {
    const { trace } = createTrace({ outcomes: { "customer-data": createOutcome({ status, reason: "UPSTREAM_5XX" }) } });
    expect(trace.providers[0]).toMatchObject({
      status,
      reason: "UPSTREAM_5XX",
      requestDigest: expect.stringMatching(HMAC),
      itemLocators: [],
      itemFingerprints: [],
      materialDigest: null,
      currentness: null,
    });
  });

  test("a refused value is recorded by the name of its input alone", () => {
    const { trace, json } = createTrace({ inputs: { customerId: "not-a-customer" } });
    expect(trace.providers).toMatchObject([
      { provider: "customer-data", status: "INVALID_REQUEST", key: "customerId", requestDigest: null },
    ]);
    expect(json).not.toContain("not-a-customer");
  });

  test("a lookup that nobody carried out is NOT_EVALUATED", () => {
    const record = createTurnRecord();
    const { trace } = toTraceSafe({ ...record, results: new Map() }, createRing());
    expect(trace.providers.map(({ status }) => status)).toEqual(["NOT_EVALUATED", "NOT_EVALUATED"]);
  });
});

test("selection records mark provider materials with their provider", () => {
  const { trace } = createTrace();
  expect(trace.selection.map(({ layer, material, provider }) => [layer, material, provider])).toEqual([
    ["policy", "static", null],
    ["customer-profile", "provider", "customer-data"],
  ]);
});

test("what is unknown and what blocks is recorded by ids and reasons, without a sentence", () => {
  const { trace } = createTrace({ outcomes: { "order-data": createOutcome({ status: "TIMEOUT" }) } });
  expect(trace.unknowns).toEqual([{ layer: "orders", provider: "order-data", reason: "PROVIDER_TIMEOUT" }]);
  expect(trace.blockedBy).toEqual([]);
});

function pointerOf(pointer: string, customerId = "CUST-1042"): unknown {
  const finding = { pointer, rule: null };
  const outcome = createOutcome({ status: "INVALID_RESPONSE", reason: "UNKNOWN_FIELD", finding });
  return createTrace({ inputs: { customerId }, outcomes: { "customer-data": outcome } }).trace.providers[0]?.pointer;
}

test("the place of a refused answer is recorded up to what could tell something of the request", () => {
  expect(pointerOf("/items/0/unit")).toBe("/items/0/unit");
  expect(pointerOf("")).toBe("");
  expect(pointerOf("/items/0/CUST-1042")).toBe("/items/0");
  expect(pointerOf("/items/0/xCUST-1042x")).toBe("/items/0");
});

test("inputs are named only where the build declares them", () => {
  const inputs = { customerId: "CUST-1042", "CUST-7777": "x" };
  const { trace, json } = createTrace({ inputs });
  expect(trace.inputs).toEqual(["customerId"]);
  expect(json).not.toContain("CUST-7777");
});

/** Every form in which a text could stand in another one. */
function listForms(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const shifted = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .slice(4, -4),
  );
  return [text, encodeURIComponent(text), bytes.toString("hex"), JSON.stringify(text).slice(1, -1), ...shifted];
}

const HEX = "0123456789abcdef".split("");

/** Unmistakable: no digest, id or time holds one by chance. */
function marked(mark: string): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...HEX), minLength: 12, maxLength: 12 }).map((text) => `${mark}.z-${text}`);
}

test("no lookup value, record id, content or credential is in a trace, in any form, wherever a provider puts it", () => {
  const smuggle = fc.constantFrom(
    (text: string) => text,
    (text: string) => `crm-${text}`,
    (text: string) => Buffer.from(text).toString("base64"),
    (text: string) => Buffer.from(`xx${text}`).toString("base64url"),
    (text: string) => encodeURIComponent(`:${text}`),
    (text: string) => Buffer.from(text).toString("hex"),
    (text: string) => text.toUpperCase(),
  );
  fc.assert(
    fc.property(
      fc.record({
        order: fc.nat(999_999_999).map((number) => `ORD-${number + 1_000_000_000}`),
        stray: marked("stray"),
        strayName: marked("name"),
        id: marked("id"),
        title: marked("title"),
        content: marked("content"),
        member: marked("member"),
        smuggled: fc.constantFrom("order", "stray", "id", "title", "content", "member"),
        smuggle,
      }),
      (texts) => {
        const { order, stray, strayName, id, title, content, member } = texts;
        const word = texts.smuggle({ order, stray, id, title, content, member }[texts.smuggled] ?? "");
        const token = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
        const items = [
          createItem({
            id,
            title,
            content: `About: ${content}, and more.`,
            metadata: { plan: member, other: content },
          }),
        ];
        const { json } = createTrace({
          inputs: { orderId: order, [strayName]: stray },
          outcomes: {
            "order-data": createOutcome({
              items,
              revision: word,
              version: word,
              reason: word.toUpperCase(),
              observedAt: word,
            }),
          },
        });
        const withToken = createTrace({
          outcomes: { "customer-data": createOutcome({ revision: token, version: token }) },
        });
        expect(withToken.json).not.toContain("ghp_");
        for (const text of [order, stray, strayName, id, title, content, member]) {
          for (const form of listForms(text)) expect(json.toLowerCase()).not.toContain(form.toLowerCase());
        }
        expect(json).not.toContain(word);
      },
    ),
    { numRuns: 1000 },
  );
});

test("an honest revision and version are shown, a withheld one is said to be", () => {
  const content = "The CRM is at version 5.0.1 today, says crm-r9.";
  const outcome = createOutcome({ items: [createItem({ id: "9", content })], revision: "crm-r9", version: "5.0.1" });
  expect(createTrace({ outcomes: { "customer-data": outcome } }).trace.providers[0]).toMatchObject({
    revision: "crm-r9",
    version: "5.0.1",
    withheld: [],
  });
  const leaking = { ...outcome, revision: "r-CUST-1042", version: "The CRM is at" };
  expect(createTrace({ outcomes: { "customer-data": leaking } }).trace.providers[0]).toMatchObject({
    revision: null,
    version: null,
    withheld: ["revision", "version"],
  });
});

test("the text of a trace is canonical: equal turns under equal keys have equal bytes", () => {
  const { trace, json } = createTrace();
  expect(json).toBe(toCanonicalJson(trace));
  expect(createTrace().json).toBe(json);
  expect(JSON.parse(json)).toMatchObject({
    contract: "context.trace.v1",
    durationMs: 13,
    keyId: "key_a",
    outcome: "READY",
  });
});
