import { LoopxError } from "./loopx-error.ts";

/** Far above any packet, far below where recursion ends the process (about 5,000 levels). */
const DEEPEST_VALUE = 512;

/**
 * The one text form of a JSON value (RFC 8785): keys sorted by UTF-16 code units, no white space, ECMAScript numbers.
 *
 * Takes plain objects, arrays, strings, booleans, null and finite numbers. Everything else is refused with
 * `invalid_value`, and lone surrogates with `text_not_storable`, because two different values would share a digest:
 * `undefined`, NaN, Infinity, bigint, functions, symbols, class instances (`toJSON` is not called), cycles, over 512 levels.
 */
export function toCanonicalJson(value: unknown): string {
  // The engine is several times faster, and gives the same text where every member already stands in its place.
  return isInOrder(value, 0) ? JSON.stringify(value) : renderValue(value, []);
}

/** Deeper values are rendered by ourselves, which finds their cycles. */
const DEEPEST_IN_ORDER = 32;

/** True of a value that may be rendered and has its members in the canonical order. */
function isInOrder(value: unknown, depth: number): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (value === null || typeof value === "boolean") return true;
  if (typeof value !== "object") return Number.isFinite(value);
  if (depth > DEEPEST_IN_ORDER) return false;
  return Array.isArray(value) ? isListInOrder(value, depth) : isObjectInOrder(value, depth);
}

function isListInOrder(items: readonly unknown[], depth: number): boolean {
  if (Object.getPrototypeOf(items) !== Array.prototype) return false;
  // By index, so that a hole is not passed over.
  for (let index = 0; index < items.length; index += 1) if (!isInOrder(items[index], depth + 1)) return false;
  return true;
}

function isObjectInOrder(value: object, depth: number): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return false;
  const members = value as Readonly<Record<string, unknown>>;
  let before = "";
  for (const key of Object.keys(members)) {
    if (key < before || !key.isWellFormed() || !isInOrder(members[key], depth + 1)) return false;
    before = key;
  }
  return true;
}

function renderValue(value: unknown, ancestors: object[]): string {
  if (typeof value === "string") return renderString(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value);
  if (typeof value !== "object") throw notCanonical(typeof value === "number" ? "a non-finite number" : typeof value);
  if (ancestors.includes(value)) throw notCanonical("a cycle");
  if (ancestors.length >= DEEPEST_VALUE) throw notCanonical(`more than ${DEEPEST_VALUE} levels`);
  ancestors.push(value);
  const rendered = Array.isArray(value) ? renderArray(value, ancestors) : renderObject(value, ancestors);
  ancestors.pop();
  return rendered;
}

function renderArray(items: readonly unknown[], ancestors: object[]): string {
  let rendered = "";
  // By index: iteration methods would skip holes, which are refused as undefined.
  for (let index = 0; index < items.length; index += 1) {
    rendered += (index === 0 ? "" : ",") + renderValue(items[index], ancestors);
  }
  return `[${rendered}]`;
}

function renderObject(value: object, ancestors: object[]): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  if (!isPlain) throw notCanonical("an object that is not plain");
  const members = value as Readonly<Record<string, unknown>>;
  let rendered = "";
  // The default order is that of UTF-16 code units.
  for (const key of Object.keys(members).toSorted()) {
    rendered += `${rendered === "" ? "" : ","}${renderString(key)}:${renderValue(members[key], ancestors)}`;
  }
  return `{${rendered}}`;
}

function renderString(text: string): string {
  if (!text.isWellFormed()) {
    throw new LoopxError("text_not_storable", { message: "a JSON string holds ill-formed Unicode" });
  }
  return JSON.stringify(text);
}

function notCanonical(what: string): LoopxError {
  return new LoopxError("invalid_value", { message: `the value holds ${what}, which JSON cannot express` });
}
