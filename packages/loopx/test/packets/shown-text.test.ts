import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createTextView, cutToRoom, DIGEST_TEXT, ROW_TEXT } from "../../src/packets/shown-text.ts";

test("a text takes no more room than it may, whatever is in it", () => {
  const pieces = fc.constantFrom("a", "漢", "👩‍👩‍👧‍👦", "\u0001", '"', "e\u0301\u0301\u0301\u0301", "\n");
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 600 }), fc.constantFrom(ROW_TEXT, DIGEST_TEXT), (parts, room) => {
      const shown = cutToRoom(parts.join(""), room);
      expect(Buffer.byteLength(JSON.stringify(shown))).toBeLessThanOrEqual(room.bytes);
      expect(shown.isWellFormed()).toBe(true);
    }),
  );
});

test("a short text is shown whole, a long one ends with an ellipsis", () => {
  expect(cutToRoom("short", ROW_TEXT)).toBe("short");
  expect(cutToRoom("x".repeat(241), ROW_TEXT)).toBe(`${"x".repeat(240)}…`);
});

test("what is masked is counted, also behind the cut", () => {
  const view = createTextView(DIGEST_TEXT);
  expect(view.show("look at /home/me/a.ts")).toBe("look at <local-path-redacted>");
  view.show(`${"x ".repeat(100)}/home/me/b.ts`);
  expect(view.masked).toEqual({ local_path: 2, credential: 0 });
});
