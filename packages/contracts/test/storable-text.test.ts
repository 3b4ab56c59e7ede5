import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LoopxError } from "../src/loopx-error.ts";
import { parseStorableText } from "../src/storable-text.ts";
import { refusalOf } from "./refusal-of.ts";

const field = "todo_text";

describe("parseStorableText", () => {
  test.each(["pay $15,000 $& $$ \\ 'x' \"y\" `z`", " leading and trailing \n", "😀 é ﷽ \u202e C:\\new\\users", "null"])(
    "returns %j byte for byte",
    (text) => {
      expect(parseStorableText(text, { field })).toBe(text);
    },
  );

  test.each([
    ["a\0b", "text_not_storable"],
    ["\ud800", "text_not_storable"],
    ["x\udc00y", "text_not_storable"],
    ["", "invalid_value"],
    [" \t\r\n\u00a0\u3000", "invalid_value"],
    ["\u200b\u202e\ufeff", "invalid_value"],
    [7, "invalid_value"],
    [undefined, "invalid_value"],
  ])("refuses %j with %s", (value, code) => {
    expect(refusalOf(() => parseStorableText(value, { field }))).toBe(code);
  });

  test("takes empty text where that is allowed", () => {
    expect(parseStorableText("", { field, isEmptyAllowed: true })).toBe("");
  });

  test("counts code points and UTF-8 bytes, the limit itself included", () => {
    expect(parseStorableText("😀😀", { field, maxCodePoints: 2 })).toBe("😀😀");
    expect(refusalOf(() => parseStorableText("😀😀a", { field, maxCodePoints: 2 }))).toBe("text_too_long");
    expect(parseStorableText("é😀", { field, maxBytes: 6 })).toBe("é😀");
    expect(refusalOf(() => parseStorableText("é😀", { field, maxBytes: 5 }))).toBe("text_too_long");
  });

  test("names field, unit and sizes, never the text", () => {
    const tooLong = new LoopxError("text_too_long", {
      message: "todo_text has 6 code points, the limit is 3",
      details: { field, unit: "code_points", limit: 3, actual: 6 },
    });
    expect(() => parseStorableText("secret", { field, maxCodePoints: 3 })).toThrow(tooLong);
  });

  test("accepts exactly the well-formed texts without NUL that show something", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (text) => {
        const expected = text.includes("\0") ? "text_not_storable" : text;
        const isBlank = /^[\s\p{Cf}]*$/u.test(text);
        expect(refusalOf(() => parseStorableText(text, { field }))).toBe(
          isBlank && expected === text ? "invalid_value" : expected,
        );
      }),
    );
  });
});
