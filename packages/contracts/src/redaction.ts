import { isSecretValue } from "./secret-value.ts";
import { endOfUrl, skipMask } from "./sensitive-extent.ts";
import {
  compileSensitiveRules,
  type SensitiveKind,
  type SensitiveRule,
  type SensitiveRules,
} from "./sensitive-rules.ts";
import { toSpansOf, toVisibleText } from "./visible-text.ts";

export type { SensitiveKind } from "./sensitive-rules.ts";

export interface SensitiveFinding {
  readonly kind: SensitiveKind;
  /** Which rule matched: `posix_path`, `github_token`, … Safe to show. */
  readonly rule: string;
  /** First code unit. */
  readonly start: number;
  /** Behind the last code unit. */
  readonly end: number;
}

export interface RedactedText {
  readonly text: string;
  /** How many of each kind were masked: what a packet's boundary claims are computed from. */
  readonly found: Readonly<Record<SensitiveKind, number>>;
}

const MASKS: Readonly<Record<SensitiveKind, string>> = {
  local_path: "<local-path-redacted>",
  credential: "<credential-redacted>",
};

/** No finding is without one of these, so most messages compile and run no rule. */
const WORTH_A_LOOK = /[/\\=:：_-]|[A-Za-z0-9+/]{16}|eyJ|basic/i;

let compiledRules: SensitiveRules | undefined;

/**
 * The absolute local paths and credentials in a text, in order, never overlapping. Linear in the length of the text.
 *
 * Ordinary URLs, relative paths and slash commands are not local paths; prose about credentials, placeholders and
 * references (`<your-password>`, `$TOKEN`, `env:NAME`, `****`) are not credentials. Invisible characters hide nothing.
 */
export function findSensitive(text: string): readonly SensitiveFinding[] {
  const visible = toVisibleText(text);
  const findings = findInVisible(visible);
  return visible === text || findings.length === 0 ? findings : toSpansOf(text, findings);
}

function findInVisible(text: string): readonly SensitiveFinding[] {
  if (!WORTH_A_LOOK.test(text)) return [];
  compiledRules ??= compileSensitiveRules();
  const [pathRule, ...credentialRules] = compiledRules;
  const lowerCase = text.toLowerCase();
  const worthwhile = credentialRules.filter(({ needs }) => needs?.some((piece) => lowerCase.includes(piece)) ?? true);
  const credentials = mergeOverlapping(worthwhile.flatMap((rule) => listFindings(rule, text)));
  return mergeOverlapping([...credentials, ...listPaths(pathRule, text, credentials)]);
}

/** The text with every finding masked. Doing it again changes nothing. */
export function redact(text: string): RedactedText {
  const found = { local_path: 0, credential: 0 };
  let redacted = "";
  let offset = 0;
  for (const finding of findSensitive(text)) {
    redacted += text.slice(offset, finding.start) + MASKS[finding.kind];
    found[finding.kind] += 1;
    offset = finding.end;
  }
  return { text: redacted + text.slice(offset), found };
}

/** The rule of the first credential in a text. The name may be shown; the text may not. */
export function containsCredential(text: string): string | undefined {
  return findSensitive(text).find((finding) => finding.kind === "credential")?.rule;
}

/** What a text contains, sorted and each once: the value of `task_text_contains`. */
export function describeContents(text: string): readonly SensitiveKind[] {
  return [...new Set(findSensitive(text).map((finding) => finding.kind))].toSorted();
}

/** Deeper values are cut, so that no input can exhaust the stack of an error that is being built. */
const DEEPEST_VALUE = 64;

/**
 * A copy of a JSON value with every string and key masked, and what stands under a credential's name too.
 *
 * Structure, order and every other value stay. Keys that mask to the same text get `#2`, `#3`. What JSON can't hold is
 * rendered harmless: cycles and over 64 levels as a word in brackets, bigints as text, functions and symbols as null.
 */
export function redactDeep(value: Readonly<Record<string, unknown>>): Record<string, unknown>;
export function redactDeep(value: unknown): unknown;
export function redactDeep(value: unknown): unknown {
  return redactValue(value, []);
}

function redactValue(value: unknown, ancestors: readonly object[]): unknown {
  if (typeof value === "string") return redact(value).text;
  if (typeof value === "bigint") return String(value);
  if (typeof value === "function" || typeof value === "symbol") return null;
  if (typeof value !== "object" || value === null) return value;
  if (ancestors.includes(value)) return "[cycle]";
  if (ancestors.length >= DEEPEST_VALUE) return "[too deep]";
  if ("toJSON" in value && typeof value.toJSON === "function") {
    const json: unknown = value.toJSON();
    return redactValue(json, [...ancestors, value]);
  }
  const inner = [...ancestors, value];
  return Array.isArray(value) ? value.map((item) => redactValue(item, inner)) : redactMembers(value, inner);
}

function redactMembers(value: object, ancestors: readonly object[]): unknown {
  const taken = new Set<string>();
  const members: [string, unknown][] = Object.entries(value);
  // `fromEntries` defines own properties, so a key named `__proto__` stays a key.
  return Object.fromEntries(
    members.map(([key, member]) => {
      const isSecret = typeof member === "string" && isNamedSecret(key, member);
      return [toFreeKey(redact(key).text, taken), isSecret ? MASKS.credential : redactValue(member, ancestors)];
    }),
  );
}

/** A structured value under a credential's name is judged like `"name": "value"` in a text. */
function isNamedSecret(key: string, value: string): boolean {
  const name =
    /(?:(pass(?:word|wd|phrase|code)|pwd|secret)|token|credential|api[_-]?key|access[_-]?key|private[_-]?key)$/i.exec(
      key,
    );
  return name !== null && isSecretValue(value.slice(0, 256), { isPassword: name[1] !== undefined, isTight: true });
}

function toFreeKey(key: string, taken: Set<string>): string {
  let free = key;
  for (let count = 2; taken.has(free); count += 1) free = `${key}#${count}`;
  taken.add(free);
  return free;
}

function listFindings(rule: SensitiveRule, text: string): SensitiveFinding[] {
  const { pattern } = rule;
  const findings: SensitiveFinding[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const headEnd = match.index + match[0].length;
    const found = headEnd - (match.groups?.["found"] ?? match.groups?.["quoted"] ?? match[0]).length;
    const start = rule.reach === undefined ? found : rule.reach(text, found);
    if (start === undefined || isRefused(rule, match)) {
      pattern.lastIndex = Math.max(found, match.index + 1);
      continue;
    }
    const end = rule.extent(text, found, headEnd);
    findings.push({ kind: rule.kind, rule: rule.rule ?? findGroupName(match), start, end });
    pattern.lastIndex = end;
  }
  return findings;
}

/** What is left of a value beside a mask was judged as a whole when it was masked. */
function isRefused(rule: SensitiveRule, match: RegExpExecArray): boolean {
  if (rule.accepts === undefined) return false;
  const end = match.index + match[0].length;
  return skipMask(match.input, end) > end || !rule.accepts(match);
}

/** Local paths outside of URLs. */
function listPaths(
  { pattern, kind, extent }: SensitiveRule,
  text: string,
  credentials: readonly SensitiveFinding[],
): SensitiveFinding[] {
  const isMasked = createCoverage(credentials);
  const findings: SensitiveFinding[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const headEnd = match.index + match[0].length;
    const rule = findGroupName(match);
    if (rule === "url") {
      pattern.lastIndex = endOfUrl(text, headEnd, isMasked);
    } else {
      pattern.lastIndex = extent(text, match.index, headEnd);
      findings.push({ kind, rule, start: match.index, end: pattern.lastIndex });
    }
  }
  return findings;
}

/** Tells for ascending offsets whether one lies in a finding. */
function createCoverage(findings: readonly SensitiveFinding[]): (offset: number) => boolean {
  let index = 0;
  return (offset) => {
    while ((findings[index]?.end ?? Infinity) <= offset) index += 1;
    return (findings[index]?.start ?? Infinity) <= offset;
  };
}

function findGroupName(match: RegExpExecArray): string {
  return Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0] ?? "";
}

function mergeOverlapping(findings: readonly SensitiveFinding[]): readonly SensitiveFinding[] {
  const merged: SensitiveFinding[] = [];
  for (const finding of findings.toSorted((left, right) => left.start - right.start)) {
    const last = merged.at(-1);
    if (last === undefined || finding.start >= last.end) {
      merged.push(finding);
    } else {
      const stronger = last.kind === "credential" ? last : finding;
      merged[merged.length - 1] = { ...stronger, start: last.start, end: Math.max(last.end, finding.end) };
    }
  }
  return merged;
}
