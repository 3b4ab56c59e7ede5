import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutText } from "../src/cut-text.ts";

const FAMILY = "👨‍👩‍👧‍👦";
const SCOTLAND = "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}";

describe("cutText", () => {
  test.each([
    ["abc", 3, "abc", false],
    ["abcd", 3, "abc", true],
    ["😀😀😀", 2, "😀😀", true],
    ["😀😀", 2, "😀😀", false],
    [`${FAMILY}${FAMILY}x`, 2, `${FAMILY}${FAMILY}`, true],
    [`${SCOTLAND}${SCOTLAND}`, 1, SCOTLAND, true],
    ["e\u0301e\u0301e\u0301", 2, "e\u0301e\u0301", true],
    ["a\r\nb", 2, "a\r\n", true],
    ["🇩🇪🇫🇷", 1, "🇩🇪", true],
    ["abc\u0301", 3, "abc\u0301", false],
    ["", 5, "", false],
    ["x", 0, "", true],
  ])("cuts %j to %i graphemes", (text, max, cut, isTruncated) => {
    expect(cutText(text, max)).toEqual({ text: cut, isTruncated });
  });

  test("lets no pile of combining marks past the limit", () => {
    const pile = `a${"\u0301".repeat(100_000)}`;
    const { text, isTruncated } = cutText(pile, 10);
    expect(isTruncated).toBe(true);
    expect(text.length).toBeLessThanOrEqual(160);
    expect(cutText(`x${pile}`, 2)).toEqual({ text: "x", isTruncated: true });
  });

  test("mends lone surrogates", () => {
    expect(cutText("a\ud800b", 9)).toEqual({ text: "a\ufffdb", isTruncated: false });
    expect(cutText("\udc00😀\ud83d", 2)).toEqual({ text: "\ufffd😀", isTruncated: true });
  });

  test("gives a well-formed prefix of at most the asked length, and says truly whether it cut", () => {
    const pieces = fc.constantFrom(FAMILY, SCOTLAND, "e\u0301", "a", "\r\n", "🇩🇪", "項", "\ud800", "\u200d", "\u0301");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), fc.nat(20), (parts, max) => {
        const whole = Buffer.from(parts.join("")).toString();
        const cut = cutText(parts.join(""), max);
        const segments = [...new Intl.Segmenter("en").segment(whole)].map(({ segment }) => segment);
        const asked = segments.slice(0, max).join("");
        // Families joined to one another are a single grapheme of any length, which the allowance cuts; at its very end nobody knows whether one goes on.
        const isWithinAllowance = asked.length < max * 16 - 1;
        expect(whole.startsWith(cut.text) && cut.text.isWellFormed()).toBe(true);
        expect(cut.text.length).toBeLessThanOrEqual(max * 16);
        if (isWithinAllowance) expect(cut.text).toBe(asked);
        expect(cut.isTruncated).toBe(cut.text.length < whole.length);
      }),
    );
  });
});
