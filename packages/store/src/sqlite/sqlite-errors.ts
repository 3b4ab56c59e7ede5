import { existsSync } from "node:fs";
import { isLoopxError, LoopxError, type ErrorCode, type ErrorParts } from "@loopx/contracts";

/** Where a store lies, and what it is called in front of a user (no absolute path may reach a message). */
export interface StorePlace {
  readonly path: string;
  readonly label: string;
}

/** What was being done when the engine failed: the same engine code means different things. */
export type StoreAction = "open" | "read" | "write";

const PRIMARY_CODES: Readonly<Record<number, string>> = {
  1: "SQLITE_ERROR",
  5: "SQLITE_BUSY",
  6: "SQLITE_LOCKED",
  7: "SQLITE_NOMEM",
  8: "SQLITE_READONLY",
  10: "SQLITE_IOERR",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  19: "SQLITE_CONSTRAINT",
  26: "SQLITE_NOTADB",
};

// Extended codes are the primary code plus a counter in the next byte. Only those that need an answer of their own are named.
const EXTENDED_CODES: Readonly<Record<number, string>> = {
  264: "SQLITE_READONLY_RECOVERY",
  776: "SQLITE_READONLY_ROLLBACK",
  1032: "SQLITE_READONLY_DBMOVED",
};

/** How `node:sqlite` refuses to read an integer that JavaScript cannot hold. */
const INTEGER_TOO_LARGE = "ERR_OUT_OF_RANGE";

/**
 * The engine's code for a driver's error, or undefined when it is none.
 *
 * better-sqlite3 has the name in `code`; `node:sqlite` has `ERR_SQLITE_ERROR` there and the extended number in `errcode`.
 */
export function findSqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const number = "errcode" in error ? error.errcode : undefined;
  if (typeof number === "number") return EXTENDED_CODES[number] ?? PRIMARY_CODES[number & 0xff] ?? `SQLITE_${number}`;
  const name = "code" in error ? error.code : undefined;
  return typeof name === "string" && (name === INTEGER_TOO_LARGE || name.includes("SQLITE_")) ? name : undefined;
}

/** True when another connection held the lock: the same call may succeed later. */
export function isLockHeld(error: unknown): boolean {
  return findSqliteCode(error)?.startsWith("SQLITE_BUSY") ?? false;
}

/** Translates whatever a driver threw. A `LoopxError` passes as it is. */
export function toStoreError(error: unknown, place: StorePlace, action: StoreAction): LoopxError {
  if (isLoopxError(error)) return error;
  const engineCode = findSqliteCode(error);
  if (engineCode?.startsWith("SQLITE_CANTOPEN") === true && Buffer.byteLength(place.path) > PATH_MAX_BYTES) {
    return toLongPathError(place.label, error);
  }
  const code = toErrorCode(error, place, action);
  const details = engineCode ? { engine_code: engineCode } : {};
  return new LoopxError(code, { ...describe(code, place.label), details, cause: error });
}

/** What SQLite's file layer for Unix takes (512 bytes), less the ending of a journal's name. */
const PATH_MAX_BYTES = 504;

function toLongPathError(label: string, cause: unknown): LoopxError {
  return new LoopxError("store_failed", {
    message: `the path of ${label} is longer than SQLite takes, some 450 bytes`,
    hint: "move it to a folder with a shorter path",
    cause,
  });
}

function toErrorCode(error: unknown, place: StorePlace, action: StoreAction): ErrorCode {
  const engineCode = findSqliteCode(error) ?? "";
  if (engineCode.startsWith("SQLITE_BUSY")) return "store_busy";
  if (engineCode.startsWith("SQLITE_FULL")) return "store_full";
  if (engineCode.startsWith("SQLITE_NOTADB") || engineCode.startsWith("SQLITE_CORRUPT")) return "store_corrupt";
  if (engineCode === INTEGER_TOO_LARGE) return "store_corrupt";
  if (engineCode === "SQLITE_READONLY_ROLLBACK" || engineCode === "SQLITE_READONLY_RECOVERY") {
    return "store_needs_recovery";
  }
  if (engineCode === "SQLITE_READONLY_DBMOVED") return "store_missing";
  if (engineCode.startsWith("SQLITE_READONLY")) return "store_read_only";
  if (engineCode.startsWith("SQLITE_CANTOPEN")) return toUnopenedCode(place, action);
  return "store_failed";
}

// "Cannot open" is about the journal once the store itself is open: a reader found one it may not roll back, or a writer may not create one.
function toUnopenedCode(place: StorePlace, action: StoreAction): ErrorCode {
  if (action === "write") return "store_read_only";
  return existsSync(`${place.path}-journal`) ? "store_needs_recovery" : "store_failed";
}

function describe(code: ErrorCode, label: string): ErrorParts {
  switch (code) {
    case "store_busy":
      return { message: `${label} was kept locked by another process`, hint: "run the command again" };
    case "store_full":
      return {
        message: `no space is left to write ${label}; the write was undone`,
        hint: "free disk space, then run the command again",
      };
    case "store_corrupt":
      return { message: `${label} is damaged or not a LoopX store; it was left as it is`, hint: "loopx doctor" };
    case "store_needs_recovery":
      return {
        message: `${label} has an interrupted write that only a writer may roll back`,
        hint: "run `loopx doctor` where the store can be written",
      };
    case "store_missing":
      return { message: `${label} is gone`, hint: "loopx doctor" };
    case "store_read_only":
      return {
        message: `${label} can be read but not written here`,
        hint: "run the command where the store can be written",
      };
    default:
      return { message: `${label} could not carry out the operation`, hint: "loopx doctor" };
  }
}

/** The refusal of a write where the files cannot be written. */
export function toReadOnlyError(label: string): LoopxError {
  return new LoopxError("store_read_only", describe("store_read_only", label));
}
