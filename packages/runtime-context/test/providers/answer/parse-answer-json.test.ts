import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseAnswerJson } from "../../../src/providers/answer/parse-answer-json.ts";

function parse(text: string): unknown {
  return parseAnswerJson(Buffer.from(text));
}

describe("parseAnswerJson", () => {
  test.each([
    ["a byte that is no UTF-8", Buffer.from([0x22, 0xff, 0x22]), "UTF8"],
    ["an overlong form", Buffer.from([0x22, 0xc0, 0xaf, 0x22]), "UTF8"],
    ["surrogates written in UTF-8 (CESU-8)", Buffer.from([0x22, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0x22]), "UTF8"],
    ["a byte order mark", Buffer.from("\uFEFF{}"), "BYTE_ORDER_MARK"],
  ])("refuses %s", (_name, bytes, reason) => {
    expect(parseAnswerJson(bytes)).toEqual({ status: "INVALID_RESPONSE", reason });
  });

  test.each([
    ["nothing", "", "JSON"],
    ["a cut object", '{"a":1', "JSON"],
    ["two values", "{} {}", "JSON"],
    ["a comment", "{} // x", "JSON"],
    ["single quotes", "{'a':1}", "JSON"],
    ["NaN", '{"a":NaN}', "JSON"],
    ["a lone surrogate by escape", String.raw`{"a":"\ud800"}`, "UNICODE"],
    ["a lone surrogate in a key", String.raw`{"\udc00":1}`, "UNICODE"],
    ["NUL by escape", String.raw`{"a":"\u0000"}`, "UNICODE"],
    ["a key twice", '{"a":1,"a":2}', "DUPLICATE_KEY"],
    ["a key twice, once by escape", String.raw`{"a":1,"\u0061":2}`, "DUPLICATE_KEY"],
    ["a key twice with space before its colon", '{"a" :1,"a"\n:2}', "DUPLICATE_KEY"],
    ["a key twice behind an escaped quote", String.raw`{"x":"\"","a":1,"a":2}`, "DUPLICATE_KEY"],
    ["a key twice behind an escaped backslash", String.raw`{"x":"\\","a":1,"a":2}`, "DUPLICATE_KEY"],
    ["a key twice deep inside", '{"a":[{"b":1,"b":2}]}', "DUPLICATE_KEY"],
    ["__proto__", '{"__proto__":{"x":1}}', "FORBIDDEN_KEY"],
    ["__proto__ by escape", String.raw`{"\u005f_proto__":{}}`, "FORBIDDEN_KEY"],
    ["constructor", '{"a":{"constructor":1}}', "FORBIDDEN_KEY"],
    ["prototype", '[{"prototype":1}]', "FORBIDDEN_KEY"],
    ["17 levels", "[".repeat(17) + "]".repeat(17), "JSON_DEPTH"],
    ["200,000 levels", "[".repeat(200_000), "JSON_DEPTH"],
    ["infinity by exponent", '{"a":1e999}', "JSON_NUMBER"],
    ["an integer that is not safe", '{"a":9007199254740993}', "JSON_NUMBER"],
    ["20 digits", "12345678901234567890", "JSON_NUMBER"],
    ["a fraction of 17 digits", "0.12345678901234567", "JSON_NUMBER"],
    ["zero by underflow", "1e-999", "JSON_NUMBER"],
  ])("refuses %s", (_name, text, reason) => {
    expect(parse(text)).toEqual({ status: "INVALID_RESPONSE", reason });
  });

  test.each([
    ["4,097 keys", `{${Array.from({ length: 4097 }, (_, index) => `"k${index}":1`).join(",")}}`, "JSON_KEYS"],
    ["4,097 elements", `[${Array<string>(4097).fill('""').join(",")}]`, "JSON_ELEMENTS"],
  ])("stops at %s (J8)", (_name, text, reason) => {
    expect(parse(text)).toEqual({ status: "LIMIT_EXCEEDED", reason });
  });

  test.each([
    ["16 levels", "[".repeat(16) + "]".repeat(16)],
    ["the same key in two objects", '[{"a":1},{"a":2}]'],
    ["a key that is a value elsewhere", '{"a":"a","b":["a","a"]}'],
    ["numbers that are exact", "[0,-0,9007199254740991,0.1,1e20,1.50,123456789012345,1E3]"],
    ["a pair of escaped surrogates", String.raw`"\ud83d\ude00"`],
    ["forms that are not the same letter (J9)", '["é","e\u0301"]'],
  ])("takes %s", (_name, text) => {
    expect(parse(text)).toMatchObject({ value: JSON.parse(text) });
  });

  test("whatever JSON.stringify writes is taken as it was, or refused for a named bound", () => {
    const key = fc.string({ unit: "binary" }).filter((text) => text.isWellFormed() && !text.includes("\0"));
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        key,
        fc.array(tie("tree")),
        fc.dictionary(key, tie("tree")),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const text = JSON.stringify(value);
        const result = parse(text);
        if (/"(?:__proto__|constructor|prototype)":/.test(text)) return;
        expect(result).toEqual({ text, value: JSON.parse(text) });
      }),
    );
  });

  test("a text with a byte changed is never taken for something JSON.parse would not say", () => {
    const base = JSON.stringify({ a: [1, 'é\\"', { b: null, c: "\u{1F600}" }], d: -1.5e3 });
    const edit = fc.record({ at: fc.nat({ max: base.length - 1 }), by: fc.string({ minLength: 0, maxLength: 2 }) });
    fc.assert(
      fc.property(edit, ({ at, by }) => {
        const bytes = Buffer.from(base.slice(0, at) + by + base.slice(at + 1));
        const result = parseAnswerJson(bytes);
        if ("value" in result) expect(result.value).toEqual(JSON.parse(bytes.toString()));
      }),
      { numRuns: 2000 },
    );
  });

  test("takes a document with as many strings as the limits of keys and elements leave room for", () => {
    const members = Array.from({ length: 4095 }, (_, index) => `"k${index}":["v"]`);
    const text = `{${members.join(",")},"list":[${Array<string>(4096).fill('["v"]').join(",")}]}`;
    expect(parse(text)).toMatchObject({ text });
  });
});
