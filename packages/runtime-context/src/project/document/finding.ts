import { cutRedacted, LoopxError, neutraliseForTerminal, redact, type ErrorCode } from "@loopx/contracts";

/** What a rule of ours found in a project, a binding or a file. `error` stops a build; `warning` is said and passes. */
export interface Finding {
  readonly severity: "error" | "warning";
  /** Stable upper-case word: `UNKNOWN_KEY`, `BINDING_FIELD_IN_PROJECT`, … */
  readonly rule: FindingRule;
  /** As the user names the file. */
  readonly file: string;
  /** From 1; null where the finding is about the file as a whole. */
  readonly line: number | null;
  /** RFC 6901 JSON pointer; empty for the whole document, null where there is none. */
  readonly pointer: string | null;
  readonly message: string;
  /** What to do, where that isn't said already. */
  readonly hint: string | null;
}

export type FindingRule =
  | "SYNTAX"
  | "DUPLICATE_KEY"
  | "UNKNOWN_KEY"
  | "INVALID_VALUE"
  | "MISSING"
  | "DUPLICATE_ID"
  | "UNKNOWN_REFERENCE"
  | "TOO_MANY_PROVIDERS"
  | "BINDING_FIELD_IN_PROJECT"
  | "BINDING_IN_PROJECT"
  | "INVALID_PATTERN"
  | "INVALID_PATH"
  | "PATH_TWIN"
  | "NOT_A_PLAIN_FILE"
  | "NOT_READABLE"
  | "NOT_TEXT"
  | "TOO_LARGE"
  | "SECRET_IN_FILE"
  | "PERSONAL_DATA"
  | "NOT_USED"
  | "INLINE_SECRET"
  | "URL_REFUSED";

export type PathSegment = string | number;

/** The parts of a finding that its maker knows. An error without a line unless they say otherwise. */
export type FindingParts = Pick<Finding, "rule" | "file" | "message"> & Partial<Finding>;

/** Builds a finding whose texts are safe to print: no credential and no absolute path of this machine in them. */
export function toFinding(parts: FindingParts): Finding {
  const { severity = "error", rule, file, line = null, pointer = null, message, hint = null } = parts;
  return {
    severity,
    rule,
    file: toSafe(file),
    line,
    pointer: pointer === null ? null : toSafe(pointer),
    message: toSafe(message),
    hint: hint === null ? null : toSafe(hint),
  };
}

function toSafe(text: string): string {
  return neutraliseForTerminal(redact(text).text);
}

/** `context.project.json:12 /layers/0/name: is missing`. */
export function renderFinding({ file, line, pointer, message, hint }: Finding): string {
  const place = [line === null ? file : `${file}:${line}`, pointer ?? ""].filter((part) => part !== "").join(" ");
  return `${place}: ${message}${hint === null ? "" : `; ${hint}`}`;
}

/** RFC 6901. */
export function toPointer(path: readonly PathSegment[]): string {
  return path.map((segment) => `/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Longer names are not worth repeating. */
const SHOWN_NAME = 64;

/** A name as the user typed it, in quotes and short. */
export function quoteName(name: string): string {
  return JSON.stringify(cutRedacted(name, SHOWN_NAME).text);
}

/** More would only hide the first ones. */
const SHOWN_FINDINGS = 100;

/** The error for findings of which at least one is an error: the first in words, up to a hundred in `details.findings`. */
export function toFindingsError(code: ErrorCode, findings: readonly Finding[]): LoopxError {
  const errors = findings.filter(({ severity }) => severity === "error");
  const [first] = errors;
  const rest = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  return new LoopxError(code, {
    message: `${first === undefined ? "nothing was found" : renderFinding({ ...first, hint: null })}${rest}`,
    ...(first?.hint == null ? {} : { hint: first.hint }),
    details: { findings: findings.slice(0, SHOWN_FINDINGS) },
  });
}
