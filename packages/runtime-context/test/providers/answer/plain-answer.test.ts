import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import { isPlainJson } from "../../../src/providers/answer/plain-answer.ts";
import { isPlainText } from "@loopx/contracts";

function tell(text: string): boolean {
  return isPlainJson(text, Buffer.byteLength(text));
}

describe("isPlainJson", () => {
  test("never says so of a text with a string that has something to neutralise", () => {
    const escape = fc.constantFrom("\\u001b", "\\u200b", "\\b", "\\f", "\\r", "\\n", "\\t", '\\"', "\\\\", "\\/");
    const piece = fc.oneof(
      escape,
      fc.constantFrom("\u007f", "\u0085", "é", "客", "\u{1F600}"),
      fc.string({ unit: "grapheme" }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const text = `{"content":"${pieces.join("")}"}`;
        const content = findContent(text);
        if (content !== undefined && tell(text)) expect(isPlainText(content)).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  test.each([
    ["prose", '{"content":"Renewal is due in March."}', true],
    ["quotes, backslashes, line feeds and tabs", String.raw`{"content":"a \"b\" \\ c\n\td\/"}`, true],
    ["an escaped backslash before a letter", String.raw`{"content":"C:\\users\\bob"}`, true],
    ["more escapes than are looked at one by one", `{"content":"${"\\\\".repeat(2_001)}"}`, false],
    ["an escape sequence", String.raw`{"content":"\u001b[2J"}`, false],
    ["an escaped letter, which costs a closer look only", String.raw`{"content":"\u0041"}`, false],
    ["a carriage return", String.raw`{"content":"a\r\n"}`, false],
    ["a delete character", '{"content":"a\u007f"}', false],
    ["a character of two bytes", '{"content":"é"}', false],
  ])("of %s", (_what, text, expected) => {
    expect(tell(text)).toBe(expected);
  });
});

/** Undefined of what is no JSON. */
function findContent(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { readonly content: string }).content;
  } catch {
    return undefined;
  }
}
