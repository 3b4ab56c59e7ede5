import { LoopxError } from "@loopx/contracts";

/** Where a row stands in the order of its list: unique, so a page can go on behind it. */
export type OrderKey = readonly (string | number)[];

/** A row of a list over all projects. */
export interface OrderedRow<Item> {
  readonly key: OrderKey;
  readonly goalId: string;
  readonly item: Item;
}

/** The first rows of a list behind a cursor, whatever the order they come in. */
export interface OrderedHead<Item> {
  readonly add: (row: OrderedRow<Item>) => void;
  /** In order; one more than a page when there are more. */
  readonly list: () => readonly OrderedRow<Item>[];
}

/** Keeps `limit` rows and one more, so that a list over any number of projects takes no more memory than a page. */
export function createOrderedHead<Item>(limit: number, after: OrderKey | null): OrderedHead<Item> {
  let rows: OrderedRow<Item>[] = [];
  const trim = (): void => {
    rows = rows.toSorted((left, right) => compareKeys(left.key, right.key)).slice(0, limit + 1);
  };
  return {
    add: (row) => {
      if (after !== null && compareKeys(row.key, after) <= 0) return;
      rows.push(row);
      if (rows.length > 4 * (limit + 1)) trim();
    },
    list: () => {
      trim();
      return rows;
    },
  };
}

function compareKeys(left: OrderKey, right: OrderKey): number {
  for (const [at, part] of left.entries()) {
    const other = right[at] ?? "";
    if (part === other) continue;
    return part < other ? -1 : 1;
  }
  return 0;
}

/** No part holds a comma: numbers, and ids by the rules of `contracts`. */
const SEPARATOR = ",";

export function renderCursor(key: OrderKey): string {
  return key.join(SEPARATOR);
}

/**
 * The place that a cursor of an earlier page names.
 *
 * `shape` tells the kinds of a key's parts, `n` a number and `s` a text. Refuses with `invalid_value`.
 */
export function parseCursor(text: string, shape: string): OrderKey {
  const parts = text.split(SEPARATOR);
  const isFit =
    parts.length === shape.length && parts.every((part, at) => shape[at] === "s" || /^\d{1,15}$/.test(part));
  if (isFit) return parts.map((part, at) => (shape[at] === "n" ? Number(part) : part));
  throw new LoopxError("invalid_value", {
    message: "--cursor takes what the page before gave as next_cursor",
    hint: "leave --cursor out to begin with the first page",
    details: { field: "cursor" },
  });
}
