import { findUnpublic, toOneLine } from "@loopx/contracts";
import { report, type Rule } from "./field-rule.ts";

/** The longest query summary, and the longest summary that a provider gives of an item. */
export const SUMMARY_MAX = 220;
/** The longest text in a record of evidence, proposal, review or outcome. */
export const RECORD_TEXT_MAX = 320;

/** Code points, as every bound of these contracts counts. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** A text for public packets: one line, without local path, address or credential. Over-long is a fault. */
export function publicText(max: number): Rule<string> {
  return (value, place) => {
    if (typeof value !== "string") return report(place, value === undefined ? "is missing" : "must be text");
    if (!value.isWellFormed() || value.includes("\0")) return report(place, "holds NUL or ill-formed Unicode");
    const line = toOneLine(value);
    if (line === "") return report(place, "is empty");
    const length = countCodePoints(line);
    if (length > max) return report(place, `has ${length} characters, the limit is ${max}`);
    const unsafe = findUnpublic(line);
    return unsafe === undefined ? line : report(place, `holds ${unsafe}; say what it is, not where or how to get it`);
  };
}

/** The same for text that a provider gives: cut to the limit with an ellipsis. Undefined when it may not be shown. */
export function cutPublicText(value: string, max: number): string | undefined {
  if (!value.isWellFormed() || value.includes("\0")) return undefined;
  const line = toOneLine(value);
  if (line === "" || findUnpublic(line) !== undefined) return undefined;
  const points = Array.from(line);
  return points.length <= max
    ? line
    : `${points
        .slice(0, max - 1)
        .join("")
        .trimEnd()}…`;
}

/** A name of ours: source, provider, agent, goal, objective. */
const TOKEN = /^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$/;

export const aToken: Rule<string> = (value, place) => {
  if (typeof value === "string" && TOKEN.test(value)) return value;
  if (value === undefined) return report(place, "is missing");
  return report(place, "must be 1 to 128 of A-Z a-z 0-9 _ . : - beginning with a letter or digit");
};

/** Text that is kept private: any that isn't blank, up to a limit. */
export function privateText(max: number): Rule<string> {
  return (value, place) => {
    if (typeof value !== "string") return report(place, value === undefined ? "is missing" : "must be text");
    if (!value.isWellFormed() || value.includes("\0")) return report(place, "holds NUL or ill-formed Unicode");
    const text = value.trim();
    if (text === "") return report(place, "is empty");
    return countCodePoints(text) > max ? report(place, `is longer than ${max} characters`) : text;
  };
}
