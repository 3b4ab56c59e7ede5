import { LoopxError } from "@loopx/contracts";
import type { CommandSpec } from "../command-table/command-spec.ts";
import { toFlagName } from "./flag-name.ts";
import { joinChoices } from "./parse-flag-value.ts";
import { quoteTyped } from "./quote-typed.ts";

interface NamedCommand {
  readonly name: string;
  readonly spec: CommandSpec;
}

/** Refuses a line without a required flag (`missing_flag`), or with two that exclude each other (`usage`). */
export function checkPresence({ name, spec }: NamedCommand, given: ReadonlyMap<string, unknown>): void {
  const hint = `loopx ${name} --help`;
  const missing = Object.entries(spec.flags)
    .filter(([key, flag]) => flag.required && !given.has(key))
    .map(([key]) => toFlagName(key));
  if (missing.length > 0) {
    const message = `loopx ${name} needs ${missing.join(", ")}`;
    throw new LoopxError("missing_flag", { message, hint, details: { flags: missing } });
  }
  for (const choice of spec.chooseOne ?? []) {
    const flags = choice.from.map(toFlagName);
    const count = choice.from.filter((key) => given.has(key)).length;
    if (count > 1) {
      throw new LoopxError("usage", { message: `give only one of ${joinChoices(flags)}`, hint, details: { flags } });
    }
    if (count === 0 && choice.required) {
      throw new LoopxError("missing_flag", {
        message: `loopx ${name} needs ${joinChoices(flags)}`,
        hint,
        details: { flags },
      });
    }
  }
}

/** Refuses arguments without a flag that the command doesn't take (`usage`, `invalid_value`). */
export function checkPositionals({ name, spec }: NamedCommand, given: readonly string[]): void {
  const { positional } = spec;
  const hint = `loopx ${name} --help`;
  const taken = positional === undefined ? 0 : positional.repeatable ? Number.POSITIVE_INFINITY : 1;
  const extra = given[taken];
  if (extra !== undefined) {
    const message = `loopx ${name} doesn't take the argument ${quoteTyped(extra)}; put quotes around text with spaces`;
    throw new LoopxError("usage", { message, hint });
  }
  const choices = positional?.choices ?? [];
  if (positional?.required && given.length === 0) {
    throw new LoopxError("usage", {
      message: `loopx ${name} needs ${positional.placeholder}: ${choices.length > 0 ? joinChoices(choices) : positional.describe}`,
      hint,
    });
  }
  if (choices.length > 0 && !given.every((word) => choices.includes(word))) {
    throw new LoopxError("invalid_value", { message: `loopx ${name} takes ${joinChoices(choices)}`, hint });
  }
}
