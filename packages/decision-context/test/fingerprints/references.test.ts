import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toCursorRef, toPacketRef, toProviderRef } from "../../src/fingerprints/references.ts";
import { toStableJson } from "../../src/fingerprints/stable-json.ts";

describe("references that other readers compute too", () => {
  test("the public name of what a provider found", () => {
    expect(toProviderRef("openviking", "peer-session", "viking://res/a/1")).toBe("provider-03559b1d88f8eefe2368");
    expect(toProviderRef("loopx-obelisk", "peer-session", "obelisk:codex:thread-a:message-1")).toBe(
      "provider-508b90a55af8f2c00b2c",
    );
  });

  test("the public name of a cursor", () => {
    const cursor = "sha256:83772cb60a1778cf77feef4d4b095e2a4e2d89d760a3ce69c487852a0365dbb4";
    const source = { provider_id: "local-authority", source_id: "source:authority" };
    expect(toCursorRef(source, cursor)).toBe("source-cursor-a36515ae13245274b5e4");
  });
});

describe("the text that references are made of", () => {
  test("is in the order of code points, not of UTF-16 units", () => {
    expect(toStableJson({ "\u{1f600}": 1, "\uff5e": 2, b: 3, a: 4 })).toBe(
      String.raw`{"a":4,"b":3,"\uff5e":2,"\ud83d\ude00":1}`,
    );
  });

  test("escapes everything but printable ASCII, DEL too", () => {
    expect(toStableJson("é\u007f\n\u0001")).toBe(String.raw`"\u00e9\u007f\n\u0001"`);
  });

  test.each([
    [{ confidence: 1 }, '{"confidence":1.0}'],
    [{ score: 0.5 }, '{"score":0.5}'],
    [{ score: 1e-7 }, '{"score":1e-07}'],
    [{ score: 0.00001 }, '{"score":1e-05}'],
    [{ score: 0.0001 }, '{"score":0.0001}'],
    [{ score: 1e16 }, '{"score":1e+16}'],
    [{ score: -9.137380191693291e-7 }, '{"score":-9.137380191693291e-07}'],
    [{ score: -0 }, '{"score":0.0}'],
    [{ count: 1 }, '{"count":1}'],
    [{ count: 1.5 }, '{"count":1.5}'],
  ])("writes fractions as Python does: %j", (value, text) => {
    expect(toStableJson(value)).toBe(text);
  });

  test("of any JSON value parses to that value, elapsed times left out", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const again: unknown = JSON.parse(toStableJson(value));
        expect(again).toEqual(
          JSON.parse(JSON.stringify(value, (key, member: unknown) => (key === "latency_ms" ? undefined : member))),
        );
      }),
    );
  });

  test("refuses what JSON cannot express", () => {
    expect(() => toStableJson({ score: Number.NaN })).toThrow(/cannot express/);
    expect(() => toStableJson({ score: undefined })).toThrow(/cannot express/);
  });

  test("two packets that differ in nothing but how long they took have one reference", () => {
    const slow = { receipt: { telemetry: { latency_ms: 900 }, status: "completed" } };
    const fast = { receipt: { telemetry: { latency_ms: 1 }, status: "completed" } };
    expect(toPacketRef("decision-context-assembly", slow)).toBe(toPacketRef("decision-context-assembly", fast));
    const other = { receipt: { telemetry: { latency_ms: 1 }, status: "failed" } };
    expect(toPacketRef("decision-context-assembly", other)).not.toBe(toPacketRef("decision-context-assembly", fast));
  });
});
