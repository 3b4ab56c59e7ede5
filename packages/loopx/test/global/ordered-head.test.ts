import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createOrderedHead, parseCursor, renderCursor, type OrderKey } from "../../src/global/ordered-head.ts";

const SHAPE = "nsn";
const keys = fc.uniqueArray(
  fc.tuple(fc.nat({ max: 3 }), fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,3}$/), fc.nat({ max: 20 })),
  { selector: renderCursor, maxLength: 80 },
);

function compare(left: OrderKey, right: OrderKey): number {
  const at = left.findIndex((part, index) => part !== right[index]);
  return at < 0 ? 0 : (left[at] ?? 0) < (right[at] ?? 0) ? -1 : 1;
}

/** Every page, each begun with the cursor that the one before printed. */
function readPages(all: readonly OrderKey[], limit: number): readonly OrderKey[] {
  const read: OrderKey[] = [];
  for (let after: OrderKey | null = null; ;) {
    const head = createOrderedHead<null>(limit, after);
    for (const key of all) head.add({ key, goalId: "", item: null });
    const rows = head.list();
    read.push(...rows.slice(0, limit).map((row) => row.key));
    const last = rows[limit - 1];
    if (rows.length <= limit || last === undefined) return read;
    after = parseCursor(renderCursor(last.key), SHAPE);
  }
}

describe("a list over all projects", () => {
  test("read a page at a time is the whole list in order, each row once", () => {
    fc.assert(
      fc.property(keys, fc.integer({ min: 1, max: 9 }), (all, limit) => {
        expect(readPages(all, limit)).toEqual(all.toSorted(compare));
      }),
    );
  });

  test("refuses a cursor of another list, a made-up one and one with too much in it", () => {
    for (const text of ["", "1", "x,goal,1", "1,goal,1,1", "1,goal,1.5", "1,goal,-1", "1,goal,9999999999999999"]) {
      expect(() => parseCursor(text, SHAPE), text).toThrowError("--cursor takes what the page before gave");
    }
    expect(parseCursor("1,my.goal-2,30", SHAPE)).toEqual([1, "my.goal-2", 30]);
  });
});
