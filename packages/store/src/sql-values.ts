import { LoopxError } from "@loopx/contracts";
import type { SqlRow, SqlValue } from "./database.ts";

// A lone surrogate has no UTF-8 form, and engines cut or refuse text at NUL.
const NOT_STORABLE = /[\0\p{Surrogate}]/u;

/**
 * Refuses parameters that an engine could not give back exactly.
 *
 * Refuses with `text_not_storable`; a wrong count, a wrong type or an inexact number is a fault of the program: `internal`.
 */
export function assertStorable(parameters: readonly SqlValue[], placeholderCount: number): void {
  if (parameters.length !== placeholderCount) {
    const message = `a statement takes ${placeholderCount} values and was given ${parameters.length}`;
    throw new LoopxError("internal", { message });
  }
  for (const value of parameters) {
    if (typeof value === "string") assertStorableText(value);
    else if (value !== null && !isExactNumber(value)) {
      throw new LoopxError("internal", { message: "a statement was given a value that no column holds exactly" });
    }
  }
}

function assertStorableText(text: string): void {
  if (NOT_STORABLE.test(text)) {
    throw new LoopxError("text_not_storable", { message: "text with NUL or ill-formed Unicode cannot be stored" });
  }
}

/** True for fractions and for whole numbers within ±(2^53 − 1): beyond, engines and JavaScript disagree on the last digits. */
function isExactNumber(value: unknown): value is number {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}

function isKept(value: unknown): value is SqlValue {
  return typeof value === "string" ? !value.includes("\0") : value === null || isExactNumber(value);
}

/**
 * Checks what an engine returned and copies it to a plain object.
 *
 * Refuses a binary value, an inexact number or a text with NUL with `store_corrupt`: no statement of ours can have
 * written it.
 */
export function toSqlRow(raw: Readonly<Record<string, unknown>>, storeLabel: string): SqlRow {
  const row: Record<string, SqlValue> = {};
  // Of the keys alone: a list of pairs for every row costs a third of what the engine does.
  for (const column of Object.keys(raw)) {
    const value = raw[column];
    if (!isKept(value)) {
      throw new LoopxError("store_corrupt", {
        message: `${storeLabel} holds a value of a kind that LoopX never writes, in column ${column}`,
        hint: "loopx doctor",
      });
    }
    row[column] = value;
  }
  return row;
}
