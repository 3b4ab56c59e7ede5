import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isLoopxError } from "../src/loopx-error.ts";
import { parseStrictJson } from "../src/strict-json.ts";
import { refusalOf } from "./refusal-of.ts";

describe("parseStrictJson", () => {
  test.each([
    ['\ufeff{"a":1}', { a: 1 }],
    [' [ {"a" : 1} , {"a":2} ] ', [{ a: 1 }, { a: 2 }]],
    ['{"a":"a","b":{"a":"a:"}}', { a: "a", b: { a: "a:" } }],
    ['["a","a"]', ["a", "a"]],
    [String.raw`"\"{[\\"`, '"{[\\'],
    [String.raw`"😀"`, "😀"],
    ["-1.5e3", -1500],
  ])("reads %j", (text, value) => {
    expect(parseStrictJson(text)).toEqual(value);
  });

  test.each([
    '{"currentness":"STALE","currentness":"CURRENT"}',
    String.raw`{"a":1,"\u0061":2}`,
    '{"x":{"a":1, "b":2 , "a" :3}}',
    '{"__proto__":{"isOwner":true}}',
    String.raw`{"__pr\u006fto__":1}`,
    "1e999",
    "[-1e999]",
    "NaN",
    "Infinity",
    "",
    "{",
    "[1,]",
    "{'a':1}",
    '{"a":1} x',
    "\ufeff\ufeff{}",
    '"open',
    '"\\',
    "// comment",
  ])("refuses %j", (text) => {
    expect(refusalOf(() => parseStrictJson(text))).toBe("invalid_value");
  });

  test.each(['"\ud800"', String.raw`"\ud800"`, String.raw`{"\udc00":1}`])("refuses ill-formed text %j", (text) => {
    expect(refusalOf(() => parseStrictJson(text))).toBe("text_not_storable");
  });

  test("keeps constructor and prototype as plain own keys", () => {
    expect(parseStrictJson('{"constructor":1,"prototype":2}')).toEqual({ constructor: 1, prototype: 2 });
  });

  test("refuses nesting over the limit and takes the limit itself", () => {
    expect(parseStrictJson("[[[]]]", { maxDepth: 3 })).toEqual([[[]]]);
    expect(refusalOf(() => parseStrictJson("[[[]]]", { maxDepth: 2 }))).toBe("invalid_value");
    expect(refusalOf(() => parseStrictJson("[".repeat(200_000)))).toBe("invalid_value");
  });

  test("names the fault and its place, never the content", () => {
    for (const text of ['{"hunter2":1,"hunter2":2}', "hunter2"]) {
      try {
        parseStrictJson(text, { field: "the manifest" });
        expect.unreachable();
      } catch (error) {
        if (!isLoopxError(error)) throw error;
        expect(error.message).toMatch(/^the manifest /);
        expect(error.message).not.toContain("hunter2");
      }
    }
  });

  test("agrees with JSON.parse on whatever JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        fc.pre(!text.includes('"__proto__"'));
        expect(parseStrictJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test("never takes a text that JSON.parse refuses", () => {
    const soup = fc.array(fc.constantFrom(...'{}[],:"\\ 1-e.\nau'.split(""), "null", '"a"', "\\u0061"), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(soup, (parts) => {
        const text = parts.join("");
        const mine = refusalOf(() => JSON.stringify(parseStrictJson(text)));
        if (mine !== "invalid_value") expect(mine).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });
});
