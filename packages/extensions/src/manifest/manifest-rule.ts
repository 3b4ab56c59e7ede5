import { findSuggestions } from "@loopx/contracts";
import type { ManifestFault, ManifestPointer } from "./manifest-fault.ts";

export type TomlFields = Readonly<Record<string, unknown>>;

/** What one key of a table takes: words for what is wrong with a value, undefined for a good one. */
export interface ManifestRule {
  readonly check: (value: unknown) => string | undefined;
  readonly isRequired?: true;
}

export type ManifestRules = Readonly<Record<string, ManifestRule>>;

/**
 * Holds a table against its rules: every key must be a known one.
 *
 * Returns whether all of it is well; the faults are added to the list.
 */
export function checkTable(
  value: unknown,
  { pointer, rules }: { readonly pointer: ManifestPointer; readonly rules: ManifestRules },
  faults: ManifestFault[],
): value is TomlFields {
  if (!isTable(value)) {
    faults.push({ pointer, says: "must be a table" });
    return false;
  }
  const before = faults.length;
  for (const key of Object.keys(value)) {
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    const says = rule === undefined ? sayUnknown(key, rules) : rule.check(value[key]);
    if (says !== undefined) faults.push({ pointer: [...pointer, key], says });
  }
  for (const [key, rule] of Object.entries(rules)) {
    if (rule.isRequired && !Object.hasOwn(value, key)) faults.push({ pointer: [...pointer, key], says: "is required" });
  }
  return faults.length === before;
}

/** A table that `smol-toml` made, or nothing. */
export function isTable(value: unknown): value is TomlFields {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function sayUnknown(key: string, rules: ManifestRules): string {
  const near = findSuggestions(key, Object.keys(rules));
  return near.length === 0
    ? `is no key of a manifest; known here: ${Object.keys(rules).join(", ")}`
    : `is no key of a manifest; did you mean ${near.join(" or ")}?`;
}

/** A text of 1 to `max` characters, of the pattern where one is given. */
export function text(
  max: number,
  shape?: { readonly pattern: RegExp; readonly says: string },
): Pick<ManifestRule, "check"> {
  return {
    check: (value) => {
      if (typeof value !== "string" || value.trim() === "") return "must be a text that is not empty";
      if (value.includes("\0")) return "holds a NUL character";
      if (value.length > max) return `is longer than ${max} characters`;
      return shape === undefined || shape.pattern.test(value) ? undefined : shape.says;
    },
  };
}

/** A list of at most 64 texts. */
export function texts(mayBeEmpty: "empty texts too" | "no empty text"): Pick<ManifestRule, "check"> {
  const each = text(4096);
  return {
    check: (value) => {
      if (!Array.isArray(value)) return "must be a list of texts";
      if (value.length > 64) return "lists more than 64 texts";
      const faults = value.map((item: unknown) =>
        item === "" && mayBeEmpty === "empty texts too" ? undefined : each.check(item),
      );
      const at = faults.findIndex((says) => says !== undefined);
      return at === -1 ? undefined : `has at place ${at + 1} what is no text: it ${faults[at]}`;
    },
  };
}

/** One of the words. */
export function oneOf(words: readonly string[]): Pick<ManifestRule, "check"> {
  return {
    check: (value) => (words.includes(value as string) ? undefined : `must be ${words.join(" or ")}`),
  };
}

/** An integer; TOML tells it from `5.0` and from `true`. */
export function integer(min: number, max: number): Pick<ManifestRule, "check"> {
  return {
    check: (value) =>
      typeof value === "bigint" && value >= BigInt(min) && value <= BigInt(max)
        ? undefined
        : `must be an integer from ${min} to ${max}`,
  };
}

/** A key of the format that LoopX 1.0 has no use for: refused by name, so that nobody waits for what never comes. */
export function unused(says: string): ManifestRule {
  return { check: () => says };
}

/** A path below the extension's folder, as it is written on every system. */
export function relativePath(shape?: { readonly pattern: RegExp; readonly says: string }): Pick<ManifestRule, "check"> {
  const isText = text(512, shape);
  return {
    check: (value) => {
      const says = isText.check(value);
      if (says !== undefined) return says;
      const parts = String(value).split("/");
      const isNormal = !String(value).includes("\\") && parts.every((part) => ![".", "..", ""].includes(part));
      return isNormal ? undefined : "must be a relative path with /, without . or ..";
    },
  };
}
