import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toCanonicalJson } from "../src/canonical-json.ts";
import { refusalOf } from "./refusal-of.ts";

describe("toCanonicalJson", () => {
  test.each([
    [{ b: [1, { d: null, c: true }], a: "x" }, '{"a":"x","b":[1,{"c":true,"d":null}]}'],
    // RFC 8785 §3.2.2 and §3.2.3: number forms and UTF-16 order (a surrogate sorts before U+FB33).
    [[Number("333333333.33333329"), 1e30, 4.5, 2e-3, 1e-27, -0], "[333333333.3333333,1e+30,4.5,0.002,1e-27,0]"],
    [
      { "\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "😀": 5, "\u0080": 6, ö: 7 },
      '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
    ],
    ['€$\u000f\nA\'B"\\"/', String.raw`"€$\u000f\nA'B\"\\\"/"`],
    [Object.assign(Object.create(null), { z: 1 }), '{"z":1}'],
    [JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
  ])("renders %j", (value, rendered) => {
    expect(toCanonicalJson(value)).toBe(rendered);
  });

  test.each([
    [Number.NaN, "invalid_value"],
    [Infinity, "invalid_value"],
    [undefined, "invalid_value"],
    [{ a: undefined }, "invalid_value"],
    // oxlint-disable-next-line no-sparse-arrays -- a hole is the case
    [[1, , 2], "invalid_value"],
    [1n, "invalid_value"],
    [() => 1, "invalid_value"],
    [Symbol("x"), "invalid_value"],
    [new Date(0), "invalid_value"],
    [new Map(), "invalid_value"],
    ["\ud800", "text_not_storable"],
    [{ "\udc00": 1 }, "text_not_storable"],
  ])("refuses %o with %s", (value, code) => {
    expect(refusalOf(() => toCanonicalJson(value))).toBe(code);
  });

  test("refuses cycles and depth, not a value used twice", () => {
    const cyclic: unknown[] = [];
    cyclic.push([cyclic]);
    expect(() => toCanonicalJson(cyclic)).toThrow("the value holds a cycle, which JSON cannot express");

    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(refusalOf(() => toCanonicalJson(deep))).toBe("invalid_value");

    const shared = { a: 1 };
    expect(toCanonicalJson([shared, shared])).toBe('[{"a":1},{"a":1}]');
  });

  test("renders the same whether the engine or we put the members in order", () => {
    const deep = { a: [{ b: 1, c: { "10": "x", "9": "y" } }], z: null };
    expect(toCanonicalJson(deep)).toBe('{"a":[{"b":1,"c":{"10":"x","9":"y"}}],"z":null}');
    expect(toCanonicalJson({ z: null, a: deep.a })).toBe(toCanonicalJson(deep));
    class Shouting extends Array<string> {
      toJSON(): string {
        return "LOUD";
      }
    }
    expect(toCanonicalJson(Shouting.of("quiet"))).toBe('["quiet"]');
    expect(refusalOf(() => toCanonicalJson({ a: 1, toJSON: () => "LOUD" }))).toBe("invalid_value");
  });

  test("parses back to the value and doesn't depend on key order", () => {
    const value = fc.jsonValue({ noUnicodeString: false });
    fc.assert(
      fc.property(value, (json) => {
        const rendered = toCanonicalJson(json);
        expect(JSON.parse(rendered)).toEqual(JSON.parse(JSON.stringify(json)));
        expect(toCanonicalJson(reverseKeys(json))).toBe(rendered);
      }),
    );
  });
});

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== "object" || value === null) return value;
  const members: [string, unknown][] = Object.entries(value);
  return Object.fromEntries(members.toReversed().map(([key, member]) => [key, reverseKeys(member)]));
}
