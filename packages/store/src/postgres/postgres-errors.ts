import { UNKNOWN_END } from "../lost-connection.ts";
import { isLoopxError, LoopxError, type ErrorCode, type ErrorParts } from "@loopx/contracts";

/** What was being done when the server or the way to it failed. */
export type PostgresAction = "connect" | "read" | "write" | "commit";

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** The five characters that PostgreSQL gives each of its errors (its manual, appendix A), or undefined for another's error. */
export function findSqlState(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  // A system's error may have five letters too (EPIPE), but no severity.
  return typeof code === "string" && SQLSTATE.test(code) && error instanceof Error && "severity" in error
    ? code
    : undefined;
}

/** Whether the server undid a transaction for the sake of another: the same work may succeed now. */
export function isRetryable(error: unknown): boolean {
  const state = findSqlState(isLoopxError(error) ? error.cause : error);
  return state === "40001" || state === "40P01";
}

/** Translates whatever the driver threw. A `LoopxError` passes as it is. The server's words stay in the cause. */
export function toPostgresError(error: unknown, label: string, action: PostgresAction): LoopxError {
  if (isLoopxError(error)) return error;
  const state = findSqlState(error);
  const { code, ...parts } = isPasswordMissing(error) ? denied(label) : describe(state, label, action);
  const details = { ...(state === undefined ? {} : { engine_code: state }), ...parts.details };
  return new LoopxError(code, { ...parts, details, cause: error });
}

/** Where the server asks for a password and none was named, the driver itself gives up, in words. */
function isPasswordMissing(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("SASL: ");
}

type Described = Pick<ErrorParts, "message" | "hint" | "details"> & { readonly code: ErrorCode };

function describe(state: string | undefined, label: string, action: PostgresAction): Described {
  if (state === undefined || LOST.has(state))
    return action === "commit" ? describeUnknownEnd(label) : unreachable(label);
  const known = BY_STATE[state] ?? BY_CLASS[state.slice(0, 2)];
  return (
    known?.(label) ?? {
      code: "store_failed",
      message: `${label} could not carry out the operation`,
      hint: "loopx doctor",
    }
  );
}

/** The server ended the connection, or does not take any. */
const LOST = new Set(["57P01", "57P02", "57P03", "57P05", "25P03"]);

/** Nobody can say then whether the server had committed: the same command, run again, may do the work twice. */
function describeUnknownEnd(label: string): Described {
  return {
    code: "store_failed",
    message: `the connection to ${label} was lost while it committed: whether the write was kept is unknown`,
    hint: "see what is there, then decide: loopx status",
    details: UNKNOWN_END,
  };
}

function unreachable(label: string): Described {
  return {
    code: "store_unreachable",
    message: `${label} cannot be reached, or the connection to it was lost; nothing was written`,
    hint: "see that the server runs, that its address and sslmode in store.url are right, then run the command again",
  };
}

function busy(label: string): Described {
  return {
    code: "store_busy",
    message: `${label} was kept locked by another process, or took too long`,
    hint: "run the command again",
  };
}

function denied(label: string): Described {
  return {
    code: "store_access_denied",
    message: `${label} refuses this user or password`,
    hint: "check the user in store.url and what the password's reference names",
  };
}

const BY_CLASS: Readonly<Record<string, (label: string) => Described>> = {
  "08": unreachable,
  "28": denied,
  "40": busy,
  XX: (label) => ({
    code: "store_corrupt",
    message: `${label} reports damaged data`,
    hint: "restore the server's backup",
  }),
};

const BY_STATE: Readonly<Record<string, (label: string) => Described>> = {
  "3D000": (label) => ({
    code: "store_missing",
    message: `the server of ${label} has no database of that name`,
    hint: "name one that exists in store.url, or have it created",
  }),
  "42501": (label) => ({
    code: "store_access_denied",
    message: `${label} does not let this user do that`,
    hint: "have the user granted CREATE on the database, or all on the project's schema and its tables",
  }),
  "25006": (label) => ({
    code: "store_read_only",
    message: `${label} can be read but not written here`,
    hint: "name the primary server in store.url",
  }),
  "53100": (label) => ({
    code: "store_full",
    message: `no space is left to write ${label}; the write was undone`,
    hint: "free disk space on the server, then run the command again",
  }),
  "53300": busy,
  "55P03": busy,
  "57014": busy,
  // A role may be allowed fewer connections than the server.
  "53400": busy,
};
