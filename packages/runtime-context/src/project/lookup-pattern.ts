import { RE2JS } from "re2js";
import { isBaseLookupValue } from "./lookup-value.ts";

const PATTERN_LIMITS = {
  /** Characters of a pattern's source. */
  source: 256,
  /** Instructions of the compiled program: what one character of a value can cost. */
  program: 2000,
} as const;

/** More patterns than any build has; a server that reloads builds must not collect them forever. */
const MAX_COMPILED = 1024;
const compiled = new Map<string, RE2JS>();

/** Why a pattern can't be used, or undefined. Look-around and back-references don't exist: they cannot run in linear time. */
export function findPatternFault(source: string): string | undefined {
  if (source === "") return "the pattern is empty";
  if (source.length > PATTERN_LIMITS.source)
    return `the pattern is over the limit of ${PATTERN_LIMITS.source} characters`;
  try {
    const size = compile(source).programSize();
    return size > PATTERN_LIMITS.program
      ? `the pattern is too large (${size} of ${PATTERN_LIMITS.program} steps)`
      : undefined;
  } catch (error) {
    if (!(error instanceof Error) || !error.name.startsWith("RE2JS")) throw error;
    return `the pattern does not compile: ${error.message.replace(/^error parsing regexp: /, "")}`;
  }
}

/**
 * True when a lookup value may be sent to a provider: `[A-Za-z0-9][A-Za-z0-9._:@-]{0,255}` as a whole, and the declared
 * pattern as a whole too, with or without `^` and `$` (seed 004).
 *
 * Linear in the value for every pattern. The pattern must have passed `findPatternFault`.
 */
export function matchesLookupPattern(pattern: string, value: string): boolean {
  return isBaseLookupValue(value) && compile(pattern).testExact(value);
}

/** True when the pattern matches anywhere in a text, line ends being characters like others. Linear in the text. */
export function findsPattern(pattern: string, text: string): boolean {
  return compile(pattern).test(text);
}

function compile(source: string): RE2JS {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const fresh = RE2JS.compile(source);
  const [oldest] = compiled.keys();
  if (compiled.size >= MAX_COMPILED && oldest !== undefined) compiled.delete(oldest);
  compiled.set(source, fresh);
  return fresh;
}
