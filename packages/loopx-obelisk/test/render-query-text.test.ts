import * as fc from "fast-check";
import { expect, test } from "vitest";
import { renderQueryText } from "../src/render-query-text.ts";

test("words are quoted and joined by OR, each once", () => {
  expect(renderQueryText("Pilot, pilot: the review?")).toBe('"pilot" OR "the" OR "review"');
});

test("words too short for an index of three characters go, unless there are no others", () => {
  expect(renderQueryText("is it a pilot")).toBe('"pilot"');
  expect(renderQueryText("is it")).toBe('"is" OR "it"');
});

test("operators of the search language are words like others", () => {
  expect(renderQueryText('NOT "x y" NEAR(pilot)')).toBe('"not" OR "near" OR "pilot"');
});

test("a query without words is empty", () => {
  expect(renderQueryText("?! —")).toBe("");
});

test("whatever is asked, the text is terms of letters and digits alone, at most 24", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (query) => {
      const text = renderQueryText(query);
      expect(text).toMatch(/^(?:"[\p{L}\p{M}\p{N}]+"(?: OR "[\p{L}\p{M}\p{N}]+"){0,23})?$/u);
    }),
  );
});
