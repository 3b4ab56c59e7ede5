import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { neutraliseText } from "../src/neutralise-text.ts";

describe("what acts or hides", () => {
  test.each([
    ["a colour sequence", "a\u001b[31mb", "a\ufffd[31mb", 1],
    ["a terminal link", "\u001b]8;;https://x\u0007y\u001b]8;;\u0007", "\ufffd]8;;https://x\ufffdy\ufffd]8;;\ufffd", 4],
    ["clearing the screen with a C1 control", "\u009b2J", "\ufffd2J", 1],
    ["NUL, backspace and DEL", "a\0b\bc\u007f", "a\ufffdb\ufffdc\ufffd", 3],
    ["a lone carriage return", "paid\rowed", "paid\ufffdowed", 1],
    ["line separators", "a\u2028b\u2029c", "a\ufffdb\ufffdc", 2],
    ["a bidirectional override", "user\u202enimda\u202c", "usernimda", 2],
    ["isolates and marks", "\u2066a\u2069\u200e\u200f\u061c", "a", 5],
    ["zero-width characters", "pass\u200bword\ufeff\u2060", "password", 3],
    ["a soft hyphen", "co\u00adoperate", "cooperate", 1],
    ["tag characters that spell a sentence", "hi\u{e0049}\u{e0067}\u{e006e}", "hi", 3],
    ["private use", "a\ue000b\u{f0000}", "ab", 2],
    ["Hangul and Khmer fillers", "a\u3164\u115f\u17b4b", "ab", 3],
    ["a message in variation selectors", "a\ufe01\ufe02\u{e0105}", "a\ufe01", 2],
    ["a variation selector with nothing to vary", " \ufe0f", " ", 1],
    ["a joiner between Latin letters", "ad\u200dmin\u200c", "admin", 2],
    ["a joiner behind a selector of nothing", "\ufe0f\u200d👩", "👩", 2],
    ["a joiner behind an Arabic letter mark", "\u061c\u200cی", "ی", 2],
    ["half of a surrogate pair", "a\ud800b", "a\ufffdb", 1],
  ])("%s is neutralised and counted", (_case, text, expected, count) => {
    expect(neutraliseText(text)).toEqual({ text: expected, count });
  });
});

describe("what people write", () => {
  test.each([
    ["tabs and line feeds", "a\tb\nc"],
    ["a family", "👨‍👩‍👧‍👦"],
    ["a heart and a flag with selectors", "❤️ 🏳️‍🌈"],
    ["a skin tone in a sequence", "👩🏽‍💻"],
    ["Persian with a non-joiner", "می‌خواهم"],
    ["Devanagari with a joiner", "क्‍ष"],
    ["Arabic number signs", "\u0600\u0661"],
    ["a CJK variant", "葛\u{e0100}"],
    ["combining marks", "e\u0301 Z̷"],
  ])("%s stay", (_case, text) => {
    expect(neutraliseText(text)).toEqual({ text, count: 0 });
  });

  test("CR LF becomes LF and is nobody's attack", () => {
    expect(neutraliseText("a\r\nb\r\n")).toEqual({ text: "a\nb\n", count: 0 });
  });
});

const HOSTILE = fc.string({
  unit: fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    fc.constantFrom(
      "\r",
      "\n",
      "\u200d",
      "\u200c",
      "\ufe0f",
      "\u202e",
      "\u{e0041}",
      "👩",
      "ی",
      "\u001b",
      "\ud800",
      "\udc00",
    ),
  ),
});

test("nothing that acts or hides is left, whatever the text, and a second time changes nothing", () => {
  fc.assert(
    fc.property(HOSTILE, (text) => {
      const { text: once } = neutraliseText(text);
      expect(once).not.toMatch(
        /[^\P{Cc}\t\n]|[\p{Co}\p{Zl}\p{Zp}\ud800-\udfff\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}\u200b\ufeff]/u,
      );
      expect(neutraliseText(once)).toEqual({ text: once, count: 0 });
    }),
    { numRuns: 5000 },
  );
});
