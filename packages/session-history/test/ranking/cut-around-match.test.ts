import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cutAroundMatch } from "../../src/ranking/cut-around-match.ts";
import { listQueryTerms } from "../../src/ranking/query-terms.ts";

const cut = (text: string, query: string) => cutAroundMatch(text, listQueryTerms(query));

test("a message that fits is left whole", () => {
  expect(cut("All of it.", "all")).toBe("All of it.");
});

test("of a long one the stretch with the most different words of the query is taken, with some room before it", () => {
  const text = `pilot ${"filler ".repeat(5000)}the pilot ends with a review ${"filler ".repeat(5000)}`;
  const stretch = cut(text, "pilot review");
  expect(stretch).toHaveLength(16_000);
  expect(stretch.indexOf("the pilot ends with a review")).toBe(996);
});

test("a match at the very end is given with all that fits before it", () => {
  const stretch = cut(`${"filler ".repeat(5000)}pilot`, "pilot");
  expect(stretch).toHaveLength(16_000);
  expect(stretch.endsWith("filler pilot")).toBe(true);
});

test("whatever the text, the stretch is within the bound and holds a word of the query", () => {
  const pieces = fc.constantFrom("👩‍👩‍👧‍👦 ", "e\u0301 ", "存储", "filler ", "\n");
  fc.assert(
    fc.property(
      fc.array(pieces, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 0, max: 20_000 }),
      (unit, before) => {
        const filler = unit.join("");
        const stretch = cut(`${filler.repeat(before / unit.length)} pilot ${filler.repeat(20_000)}`, "pilot");
        expect(Array.from(stretch).length).toBeLessThanOrEqual(16_000);
        expect(stretch).toContain("pilot");
        expect(stretch.isWellFormed()).toBe(true);
      },
    ),
    { numRuns: 30 },
  );
});
