import { renderDidYouMean } from "@loopx/contracts";

/** A fault in a document that somebody wrote: where, and what would be right. The value is never repeated. */
export interface Problem {
  /** JSON pointer, "" for the whole document. */
  readonly pointer: string;
  readonly message: string;
}

/** Where in a document a rule looks, and where it reports. */
export interface Place {
  readonly pointer: string;
  readonly problems: Problem[];
}

/** Takes a value of a document, or reports what is wrong with it and gives undefined. Undefined as value: it is missing. */
export type Rule<Value> = (value: unknown, place: Place) => Value | undefined;

type ValueOf<Given> = Given extends Rule<infer Value> ? Value : never;

export type ReadDocument<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Holds a parsed document against its rule. All of its faults are listed, not only the first. */
export function readDocument<Value>(rule: Rule<Value>, document: unknown): ReadDocument<Value> {
  const problems: Problem[] = [];
  const value = rule(document, { pointer: "", problems });
  return value === undefined || problems.length > 0 ? { ok: false, problems } : { ok: true, value };
}

/** Reports a fault at a place. */
export function report({ pointer, problems }: Place, message: string): undefined {
  problems.push({ pointer, message });
  return undefined;
}

function at({ pointer, problems }: Place, segment: string | number): Place {
  return { pointer: `${pointer}/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`, problems };
}

/** A rule that says what it takes: `must be …`. */
export function takes<Value>(is: (value: unknown) => value is Value, what: string): Rule<Value> {
  return (value, place) => {
    if (is(value)) return value;
    return report(place, value === undefined ? "is missing" : `must be ${what}`);
  };
}

export function oneOf<const Word extends string | boolean>(...words: readonly Word[]): Rule<Word> {
  const is = (value: unknown): value is Word => (words as readonly unknown[]).includes(value);
  return takes(is, words.map((word) => JSON.stringify(word)).join(" or "));
}

export const aBoolean: Rule<boolean> = takes((value): value is boolean => typeof value === "boolean", "true or false");

export function aNumber(min: number, max: number): Rule<number> {
  const is = (value: unknown): value is number =>
    Number.isFinite(value) && Number(value) >= min && Number(value) <= max;
  return takes(is, `a number from ${min} to ${max}`);
}

export function anInteger(min: number, max: number): Rule<number> {
  const is = (value: unknown): value is number =>
    Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max;
  return takes(is, `a whole number from ${min} to ${max}`);
}

/** What a missing member stands for. */
export function optional<Value, Fallback>(rule: Rule<Value>, fallback: Fallback): Rule<Value | Fallback> {
  return (value, place) => (value === undefined ? fallback : rule(value, place));
}

export function orNull<Value>(rule: Rule<Value>): Rule<Value | null> {
  return (value, place) => (value === null ? null : rule(value, place));
}

export interface ListBounds {
  readonly min?: number;
  readonly max: number;
  /** No two entries may have the same value of this member; without a name, the entries themselves differ. */
  readonly uniqueBy?: string;
}

export function listOf<Value>(rule: Rule<Value>, { min = 0, max, uniqueBy }: ListBounds): Rule<readonly Value[]> {
  return (value, place) => {
    if (!Array.isArray(value)) return report(place, value === undefined ? "is missing" : "must be a list");
    if (value.length < min) report(place, `needs at least ${min} ${min === 1 ? "entry" : "entries"}`);
    if (value.length > max) return report(place, `is over the limit of ${max} entries`);
    const taken: Value[] = [];
    const seen = new Set<unknown>();
    for (const [index, entry] of value.entries()) {
      const read = rule(entry, at(place, index));
      if (read === undefined) continue;
      taken.push(read);
      if (uniqueBy === undefined) continue;
      const name = (read as Readonly<Record<string, unknown>>)[uniqueBy];
      if (seen.has(name)) report(at(at(place, index), uniqueBy), "is there twice");
      seen.add(name);
    }
    return taken;
  };
}

/** A sorted list without repetitions. */
export function setOf(rule: Rule<string>, bounds: Omit<ListBounds, "uniqueBy">): Rule<readonly string[]> {
  const list = listOf(rule, bounds);
  return (value, place) => {
    const taken = list(value, place);
    return taken === undefined ? undefined : [...new Set(taken)].toSorted();
  };
}

/**
 * An object with these members and no others; a mistyped name is reported with the one it was probably meant to be.
 *
 * Where a member was reported it is undefined in what comes back: a rule on top asks `place.problems` first.
 */
export function anObject<Fields extends Readonly<Record<string, Rule<unknown>>>>(
  fields: Fields,
): Rule<{ readonly [Name in keyof Fields]: ValueOf<Fields[Name]> }> {
  return (value, place) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return report(place, value === undefined ? "is missing" : "must be an object");
    }
    const given = value as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(given)) {
      if (Object.hasOwn(fields, name)) continue;
      const absent = Object.keys(fields).filter((known) => !Object.hasOwn(given, known));
      report(at(place, name), `is an unknown key${renderDidYouMean(name, absent)}`);
    }
    const members = Object.entries(fields).map(([name, rule]) => {
      return [name, rule(Object.hasOwn(given, name) ? given[name] : undefined, at(place, name))] as const;
    });
    return Object.fromEntries(members) as { readonly [Name in keyof Fields]: ValueOf<Fields[Name]> };
  };
}
