import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import { parse } from "jsonc-parser";
import { toPlainJson } from "../../src/project/document/jsonc-document.ts";
import { parseDocument, type DocumentFormat } from "../../src/project/document/located-document.ts";

async function faultsOf(format: DocumentFormat, source: string | Uint8Array): Promise<readonly string[]> {
  const parsed = await parseDocument(source, { path: "p", format });
  return "findings" in parsed ? parsed.findings.map(({ rule, line, message }) => `${rule} ${line}: ${message}`) : [];
}

describe("a document that two readers could understand differently", () => {
  test.each<[DocumentFormat, string, string, string]>([
    ["json", "a key twice", '{"a": 1,\n "a": 2}', 'DUPLICATE_KEY 2: "a" is written twice in one object'],
    [
      "json",
      "a key twice by an escape",
      '{"a": 1,\n "\\u0061": 2}',
      'DUPLICATE_KEY 2: "\\u0061" is written twice in one object',
    ],
    ["json", "a comment", '{"a": 1 // x\n}', "SYNTAX 1: is not valid JSON: invalid comment token"],
    ["json", "a trailing comma", '{"a": 1,\n}', "SYNTAX 2: is not valid JSON: property name expected"],
    ["json", "__proto__", '{"__proto__": 1}', "SYNTAX 1: the document holds the key __proto__"],
    ["json", "a number over all bounds", "[1e999]", "SYNTAX 1: the document holds a number that is not finite"],
    ["json", "half a character", '["\\ud800"]', "SYNTAX 1: the document holds ill-formed Unicode"],
    ["json", "too many levels", "[".repeat(20_000), "SYNTAX 1: the document holds nesting deeper than 32"],
    ["json", "nothing", "", "SYNTAX 1: is not valid JSON: value expected"],
    ["jsonc", "a key twice", '{"a": 1, // x\n "a": 2,}', 'DUPLICATE_KEY 2: "a" is written twice in one object'],
    ["jsonc", "a comment without an end", '{"a": 1} /* x', "SYNTAX 1: is not valid JSON: invalid comment token"],
    ["jsonc", "a comma without a value", "[1,,]", "SYNTAX 1: is not valid JSON: value expected"],
    ["jsonc", "a lone comma", "[,]", "SYNTAX 1: is not valid JSON: value expected"],
    ["yaml", "a key twice", "a: 1\na: 2", "DUPLICATE_KEY 2: a key is written twice in one mapping"],
    ["yaml", "an alias", "a: &x 1\nb: *x", "INVALID_VALUE 1: an anchor is not taken here"],
    ["yaml", "a tag", "a: !!binary aGk=", "INVALID_VALUE 1: a tag is not taken here"],
    ["yaml", "a tag of a language", "a: !!js/function x", "SYNTAX 1: is not valid YAML: a tag is not taken here"],
    ["yaml", "two documents", "a: 1\n---\nb: 2", "SYNTAX 2: is not valid YAML: it holds more than one document"],
    ["yaml", "a key that isn't text", "1: a", "INVALID_VALUE 1: a key must be text; put it in quotes"],
    ["yaml", "a list as a key", "? [a]\n: b", "INVALID_VALUE 1: a key must be text; put it in quotes"],
    [
      "yaml",
      "a number nobody keeps",
      "a: 12345678901234567890",
      "INVALID_VALUE 1: this number is not kept exactly by every reader; put it in quotes",
    ],
    [
      "yaml",
      "infinity",
      "a: .inf",
      "INVALID_VALUE 1: this number is not kept exactly by every reader; put it in quotes",
    ],
  ])("%s: %s is refused", async (format, _name, source, expected) => {
    expect((await faultsOf(format, source))[0]).toBe(expected);
  });

  test("YAML: a bomb of aliases and one of brackets end in a refusal", async () => {
    const bomb = ["a: &a [x]", ...Array.from({ length: 9 }, (_, index) => `b${index}: [${"*a,".repeat(9)}]`)].join(
      "\n",
    );
    expect((await faultsOf("yaml", bomb)).length).toBeGreaterThan(0);
    expect((await faultsOf("yaml", "[".repeat(20_000))).length).toBeGreaterThan(0);
  });

  test("bytes that aren't UTF-8 and files over 4 MiB are refused", async () => {
    expect(await faultsOf("json", new Uint8Array([0x22, 0xff, 0x22]))).toEqual(["NOT_TEXT null: is not UTF-8 text"]);
    expect(await faultsOf("json", `"${"x".repeat(4_194_303)}"`)).toEqual([
      "TOO_LARGE null: is 4194305 bytes, the limit is 4194304",
    ]);
    expect(await faultsOf("json", `"${"x".repeat(4_194_302)}"`)).toEqual([]);
  });
});

describe("JSONC", () => {
  test("keeps every offset", () => {
    const source = '{ /* 中\n文 */ "a": [1, /* x */ ], // end "\n "b": "// no", }';
    expect(toPlainJson(source)).toBe('{     \n     "a": [1          ],         \n "b": "// no"  }');
  });

  test("any JSON with comments and commas strewn in means what jsonc-parser says it means", () => {
    const noise = fc.constantFrom(" ", "\n", "/* , ] */", "// }\n", "\t");
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.array(noise, { minLength: 1, maxLength: 8 }), (value, pieces) => {
        // jsonc-parser assigns members one by one, which loses one of this name.
        fc.pre(!JSON.stringify(value).includes("__proto__"));
        let next = 0;
        const take = (): string => pieces[next++ % pieces.length] ?? "";
        const strewn = JSON.stringify(value, null, 1)
          .split("\n")
          .map(
            (line) =>
              line.replace(/^( *)([\]}])/, (_all, space: string, close: string) => `${space}${take()}${close}`) +
              (line.endsWith(",") ? take() : ""),
          )
          .join("\n")
          .replaceAll(/([^[{,\s])\n( *)(?=[/\s]*[\]}])/g, "$1,\n$2");
        const plain = toPlainJson(strewn);
        expect(plain).toHaveLength(strewn.length);
        expect(JSON.parse(plain)).toEqual(parse(strewn, [], { allowTrailingComma: true }));
      }),
    );
  });
});
