import { toFlagKey } from "../command-line/flag-name.ts";

/** `goalId` → `goal_id`: tools use the spelling of packets. */
export function toArgumentName(flagKey: string): string {
  return flagKey.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `goal_id` → `goalId`; nothing for a spelling that isn't snake case. */
export function toArgumentKey(name: string): string | undefined {
  return name.includes("-") ? undefined : toFlagKey(`--${name.replaceAll("_", "-")}`);
}

/** A description written for the command line, with the flags it mentions named as arguments. */
export function nameFlagsAsArguments(text: string): string {
  return text.replaceAll(/--([a-z]+(?:-[a-z]+)*)/g, (_, words: string) => words.replaceAll("-", "_"));
}
