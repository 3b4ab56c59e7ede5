import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { displayWidth, neutraliseForTerminal } from "../src/terminal-text.ts";

describe("neutraliseForTerminal", () => {
  test.each([
    ["\u001b[31mred\u001b]8;;http://x\u0007", String.raw`\x1b[31mred\x1b]8;;http://x\x07`],
    ["a\rb\bc\u007f\u009b", String.raw`a\x0db\x08c\x7f\x9b`],
    [
      "\u202eevil\u202c \u2066x\u2069 \u200e\u200f\u061c",
      String.raw`\u202eevil\u202c \u2066x\u2069 \u200e\u200f\u061c`,
    ],
    ["a\u200bb\ufeffc\u2060d\u200de", String.raw`a\u200bb\ufeffc\u2060d\u200de`],
    ["x\u{e0041}y", String.raw`x\u{e0041}y`],
    ["a\ud800b", String.raw`a\ud800b`],
    ["line\u2028sep", String.raw`line\u2028sep`],
  ])("makes %j visible", (text, visible) => {
    expect(neutraliseForTerminal(text)).toBe(visible);
  });

  test.each(["two\nlines\tand a tab", "項目 é e\u0301 😀 👍🏽 👨‍👩‍👧‍👦 ❤️‍🔥 🇩🇪", String.raw`C:\new \x1b`])("keeps %j", (text) => {
    expect(neutraliseForTerminal(text)).toBe(text);
  });

  test("leaves nothing that controls a terminal, and is done after one pass", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const safe = neutraliseForTerminal(text);
        expect(safe).not.toMatch(
          // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\u200b]/,
        );
        expect(neutraliseForTerminal(safe)).toBe(safe);
      }),
    );
  });
});

test.each([
  ["", 0],
  ["abc", 3],
  ["項目", 4],
  ["ｆｕｌｌ", 8],
  ["ﾊﾝｶｸ", 4],
  ["한글", 4],
  ["é e\u0301", 3],
  ["😀", 2],
  ["👨‍👩‍👧‍👦", 2],
  ["🇩🇪", 2],
  ["❤️", 2],
  ["❤", 1],
  ["1️⃣", 2],
  ["a\u200bb", 2],
  ["→ ✓", 3],
  ["𠮷", 2],
])("displayWidth of %j is %i columns", (text, width) => {
  expect(displayWidth(text)).toBe(width);
});
