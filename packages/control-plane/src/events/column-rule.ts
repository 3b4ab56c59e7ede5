import { containsCredential, LIMITS, parseStorableText, parseStrictJson, toInstant } from "@loopx/contracts";

/** Whether a stored value is one that a write of our own could have left there. */
export type ColumnRule = (value: unknown) => boolean;

/** One rule for each field of an entity: a new field without a rule does not compile. */
export type RulesOf<Entity> = Readonly<Record<keyof Entity & string, ColumnRule>>;
export type FieldRules = Readonly<Record<string, ColumnRule>>;

export function orNull(rule: ColumnRule): ColumnRule {
  return (value) => value === null || rule(value);
}

export function anyOf(...rules: readonly ColumnRule[]): ColumnRule {
  return (value) => rules.some((rule) => rule(value));
}

export function oneOf(words: readonly unknown[]): ColumnRule {
  return (value) => words.includes(value);
}

/** Text of any kind: what a rule of commands may have to say of it is theirs. */
export const anyText: ColumnRule = (value) => typeof value === "string";

/** Nothing of ours comes near it, and whoever counts on from there never leaves the numbers that are exact. */
const LARGEST_COUNT = 2 ** 52;

export function integer(min: number, max = LARGEST_COUNT): ColumnRule {
  return (value) => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
}

/** Text of this pattern, without a credential. */
export function word(pattern: RegExp): ColumnRule {
  return (value) => typeof value === "string" && pattern.test(value) && containsCredential(value) === undefined;
}

/** An id that this function of the contracts takes as it is. */
export function id(parse: (value: unknown) => string): ColumnRule {
  return (value) => accepts(() => parse(value) === value && containsCredential(value) === undefined);
}

/** `prefix` and then what the rule takes: `agent:ID`. */
export function prefixed(prefix: string, rule: ColumnRule): ColumnRule {
  return (value) => typeof value === "string" && value.startsWith(prefix) && rule(value.slice(prefix.length));
}

/** Text that a person or an agent wrote: storable, short enough, without a credential. */
export function text(limits: {
  readonly maxCodePoints?: number;
  readonly maxBytes?: number;
  readonly isEmptyAllowed?: boolean;
}): ColumnRule {
  return (value) =>
    accepts(() => containsCredential(parseStorableText(value, { field: "text", ...limits })) === undefined);
}

export const writtenText = text({ maxCodePoints: LIMITS.todoTextMaxCodePoints });
export const writtenTextOrEmpty = text({ maxCodePoints: LIMITS.todoTextMaxCodePoints, isEmptyAllowed: true });

/** A moment in the one spelling that sorts by time: UTC with milliseconds. */
export const instant: ColumnRule = (value) => {
  if (typeof value !== "string" || !SPELLED_SO.test(value)) return false;
  const epochMs = Date.parse(value);
  // A day that does not exist is taken for another one.
  return epochMs >= 0 && toInstant(epochMs) === value;
};

/** Told without `parseInstant`, which takes every spelling: each row that is read has some. */
const SPELLED_SO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** JSON text of what the rule takes. */
export function json(rule: ColumnRule): ColumnRule {
  return (value) => typeof value === "string" && accepts(() => rule(parseStrictJson(value)));
}

export function listOf(rule: ColumnRule, minLength = 0): ColumnRule {
  return (value) => Array.isArray(value) && value.length >= minLength && value.every((entry) => rule(entry));
}

/** A list in which nothing is there twice. */
export function setOf(rule: ColumnRule): ColumnRule {
  return (value) => listOf(rule)(value) && new Set(value as readonly unknown[]).size === (value as unknown[]).length;
}

/** An object with these fields and no others; those of `later` are missing in what older versions wrote. */
export function shape<Entity extends object>(
  fields: RulesOf<Entity>,
  later: readonly (keyof Entity & string)[] = [],
): ColumnRule {
  const rules: FieldRules = fields;
  const laterNames: readonly string[] = later;
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const given = value as Readonly<Record<string, unknown>>;
    const isFit = (name: string): boolean =>
      Object.hasOwn(given, name) ? rules[name]?.(given[name]) === true : laterNames.includes(name);
    return Object.keys(rules).every(isFit) && Object.keys(given).every((name) => Object.hasOwn(rules, name));
  };
}

/** Whether a check that throws what it refuses says yes. */
export function accepts(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}
