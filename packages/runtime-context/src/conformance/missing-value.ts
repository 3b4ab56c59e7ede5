import { randomInt } from "node:crypto";

/** A value of the same form, so that a pattern takes it, which a provider most likely has no record of. */
export function toMissingValue(value: string): string {
  return Array.from(value)
    .map((character, index) => (index < value.length - LONGEST ? character : replace(character)))
    .join("");
}

const LONGEST = 12;
const KINDS = ["0123456789", "abcdefghijklmnopqrstuvwxyz"] as const;

/** Letters that may be a prefix stay: digits and small letters are what tells records apart. */
function replace(character: string): string {
  const kind = KINDS.find((each) => each.includes(character));
  return kind === undefined ? character : (kind[randomInt(kind.length)] ?? character);
}
