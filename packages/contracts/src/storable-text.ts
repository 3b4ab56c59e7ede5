import { LoopxError } from "./loopx-error.ts";

/** A half of a UTF-16 pair without its other half. With the `u` flag whole pairs don't match. */
export const LONE_SURROGATE = /[\uD800-\uDFFF]/u;

/** White space and format characters (zero width, bidi): text of nothing else shows nothing. */
const BLANK = /^[\s\p{Cf}]*$/u;

export interface StorableTextRules {
  /** Names the text in the error. */
  readonly field: string;
  readonly maxCodePoints?: number;
  /** Limit of the UTF-8 form. */
  readonly maxBytes?: number;
  readonly isEmptyAllowed?: boolean;
}

/**
 * The text exactly as given, once it is known to be storable.
 *
 * Refuses with `text_not_storable` (NUL, lone surrogates: no database and no UTF-8 stream returns them unchanged),
 * `text_too_long`, and `invalid_value` for what isn't a string or shows nothing. No error repeats the text.
 */
export function parseStorableText(value: unknown, rules: StorableTextRules): string {
  const { field } = rules;
  if (typeof value !== "string") {
    throw new LoopxError("invalid_value", { message: `${field} must be text`, details: { field } });
  }
  if (value.includes("\0") || LONE_SURROGATE.test(value)) {
    const reason = value.includes("\0") ? "a NUL character" : "ill-formed Unicode";
    throw new LoopxError("text_not_storable", { message: `${field} holds ${reason}`, details: { field } });
  }
  if (rules.maxCodePoints !== undefined) {
    refuseOver(field, "code_points", { limit: rules.maxCodePoints, actual: countCodePoints(value) });
  }
  if (rules.maxBytes !== undefined) {
    refuseOver(field, "bytes", { limit: rules.maxBytes, actual: Buffer.byteLength(value) });
  }
  if (rules.isEmptyAllowed !== true && BLANK.test(value)) {
    throw new LoopxError("invalid_value", { message: `${field} is empty`, details: { field } });
  }
  return value;
}

function refuseOver(field: string, unit: string, size: { readonly limit: number; readonly actual: number }): void {
  if (size.actual <= size.limit) return;
  throw new LoopxError("text_too_long", {
    message: `${field} has ${size.actual} ${unit.replace("_", " ")}, the limit is ${size.limit}`,
    details: { field, unit, ...size },
  });
}

function countCodePoints(text: string): number {
  let count = 0;
  for (let offset = 0; offset < text.length; offset += 1) {
    const unit = text.charCodeAt(offset);
    if (unit < 0xdc00 || unit > 0xdfff) count += 1;
  }
  return count;
}
