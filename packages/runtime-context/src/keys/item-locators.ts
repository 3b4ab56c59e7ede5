import { toCanonicalJson } from "@loopx/contracts";
import type { KeyRing } from "./key-ring.ts";

/** 64 bits: two of a million records share it with a chance of 2.7e-8 (facts D5), and a longer one would not be the seed's form. */
const LOCATOR_DIGITS = 16;

/**
 * One `provider/item-<16 hex>` for each record id, in order, all different.
 *
 * They name a record in a trace and don't tell its id. One that an earlier item of the same answer has is hashed again with
 * a counter, so a locator is unique inside its answer and equal for equal answers.
 */
export function toItemLocators(ring: KeyRing, provider: string, itemIds: readonly string[]): readonly string[] {
  const toHex = (name: string): string => ring.toHex("context.provider.v1/item-locator", name);
  return assignLocators(itemIds, (id, attempt) => {
    const name = attempt === 0 ? [provider, id] : [provider, id, attempt];
    return `${provider}/item-${toHex(toCanonicalJson(name)).slice(0, LOCATOR_DIGITS)}`;
  });
}

/** Gives each id the first of its candidates that no earlier id has. */
export function assignLocators(
  itemIds: readonly string[],
  toCandidate: (id: string, attempt: number) => string,
): readonly string[] {
  const taken = new Set<string>();
  return itemIds.map((id) => {
    let locator = toCandidate(id, 0);
    for (let attempt = 1; taken.has(locator); attempt += 1) locator = toCandidate(id, attempt);
    taken.add(locator);
    return locator;
  });
}
