import { ERROR_TABLE, type ErrorCode, type ErrorParts, type Refusal } from "./errors.ts";
import { redact, redactDeep } from "./redaction.ts";

/** Marks our errors across copies of this module: a bundle and a test may each hold one. */
const BRAND = Symbol.for("loopx.error");

/**
 * The one error class. Message, hint and details are masked on construction: no absolute path and no credential gets out.
 *
 * `cause` is kept for a debugger and never rendered.
 */
export class LoopxError extends Error {
  override readonly name = "LoopxError";
  readonly code: ErrorCode;
  // Declared only: a field would be there as undefined.
  declare readonly hint?: string;
  declare readonly details?: Readonly<Record<string, unknown>>;
  readonly [BRAND] = true;

  constructor(code: ErrorCode, parts: ErrorParts) {
    super(redact(parts.message).text, "cause" in parts ? { cause: parts.cause } : undefined);
    this.code = code;
    if (parts.hint !== undefined) this.hint = redact(parts.hint).text;
    if (parts.details !== undefined) this.details = redactDeep(parts.details);
  }

  /** Process exit code of the error table. */
  get exitCode(): number {
    return ERROR_TABLE[this.code].exit;
  }

  /** HTTP status of the error table. */
  get httpStatus(): number {
    return ERROR_TABLE[this.code].http;
  }
}

/** The same error with what to do next, where it says nothing of that itself. */
export function withHint(error: LoopxError, hint: string | undefined): LoopxError {
  if (hint === undefined || error.hint !== undefined) return error;
  const { code, message, details, cause } = error;
  return new LoopxError(code, { message, hint, ...(details === undefined ? {} : { details }), cause: cause ?? error });
}

/** True for an error of ours, whichever copy of the module made it. */
export function isLoopxError(value: unknown): value is LoopxError {
  return typeof value === "object" && value !== null && (value as { [BRAND]?: unknown })[BRAND] === true;
}

/** What a failed command or request prints. */
export interface ErrorPacket {
  readonly ok: false;
  readonly error: {
    readonly code: ErrorCode;
    readonly category: (typeof ERROR_TABLE)[ErrorCode]["category"];
    readonly message: string;
    readonly hint?: string;
    readonly details?: Readonly<Record<string, unknown>>;
    /** Whether the same call may succeed later without anybody changing anything. */
    readonly retry: boolean;
  };
}

/** The packet for anything thrown. What isn't ours becomes `internal`, with its name and no other word of it. */
export function toErrorPacket(error: unknown): ErrorPacket {
  const ours = isLoopxError(error) ? error : toInternalError(error);
  const entry = ERROR_TABLE[ours.code];
  return {
    ok: false,
    error: {
      code: ours.code,
      category: entry.category,
      message: ours.message,
      ...(ours.hint === undefined ? {} : { hint: ours.hint }),
      ...(ours.details === undefined ? {} : { details: ours.details }),
      retry: entry.retry,
    },
  };
}

/** Turns a refusal value into the error a border throws or renders. */
export function fromRefusal(refusal: Refusal): LoopxError {
  const { code, message, hint, details } = refusal;
  return new LoopxError(code, {
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
  });
}

/** A foreign message may quote task text, a query or a file, so only its name and system code are told. */
function toInternalError(error: unknown): LoopxError {
  const name = error instanceof Error ? error.name : typeof error;
  const systemCode = error instanceof Error && "code" in error ? error.code : undefined;
  return new LoopxError("internal", {
    message: `LoopX met a fault of its own (${name})`,
    ...(typeof systemCode === "string" ? { details: { system_code: systemCode } } : {}),
    cause: error,
  });
}
