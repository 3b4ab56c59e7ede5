import { LoopxError, renderShellCommand } from "@loopx/contracts";
import type { CommandSpec } from "../command-table/command-spec.ts";
import { findCommand, type CommandName, type FlagInputsOf } from "../command-table/command-table.ts";
import type { FlagInputs, FlagRecord } from "../command-table/flag-spec.ts";
import { GLOBAL_FLAGS } from "../command-table/global-flags.ts";
import { toFlagName } from "./flag-name.ts";
import { renderFlagValue } from "./render-flag-value.ts";

/** A command for somebody to run: the exact words, and the same as one line for a POSIX shell. */
export interface PrintedCommand {
  readonly argv: readonly string[];
  readonly shell: string;
}

/** What a printed command carries besides its own flags. */
export interface PrintedExtras {
  readonly globals?: FlagInputs<Pick<typeof GLOBAL_FLAGS, "format" | "project" | "registry">>;
  readonly positionals?: readonly string[];
}

/**
 * Builds a command from the table: the only source of the commands that packets and hints print.
 *
 * Always `--flag=value`, so that a value may look like a flag; the words come first, so that a host's permission rule
 * by prefix matches. A required flag takes a value or a placeholder (`"<todo-id>"`), which is printed as it is.
 * Throws `internal` for a flag that the table doesn't know or that is missing: what the types already refuse.
 */
export function printCommand<Name extends CommandName>(
  name: Name,
  flags: FlagInputsOf<Name>,
  extras: PrintedExtras = {},
): PrintedCommand {
  const spec = findCommand(name)?.spec;
  if (spec === undefined) throw fault(`no command ${name} to print`);
  const given = flags as Readonly<Record<string, unknown>>;
  checkKeys(name, spec, given);
  const argv = [
    "loopx",
    ...name.split(" "),
    ...renderFlags(spec.flags, given),
    ...renderFlags(GLOBAL_FLAGS, extras.globals ?? {}),
  ];
  const positionals = extras.positionals ?? [];
  if (positionals.some((word) => word.startsWith("-"))) argv.push("--");
  argv.push(...positionals);
  return { argv, shell: renderShellCommand(argv) };
}

function checkKeys(name: string, spec: CommandSpec, given: Readonly<Record<string, unknown>>): void {
  const unknownKey = Object.keys(given).find((key) => !Object.hasOwn(spec.flags, key));
  if (unknownKey !== undefined) throw fault(`${name} has no flag ${unknownKey} to print`);
  for (const [key, flag] of Object.entries(spec.flags)) {
    if (flag.required && given[key] === undefined) {
      throw fault(`${name} is printed without ${key}`);
    }
  }
}

function renderFlags(specs: FlagRecord, given: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(specs).flatMap(([key, spec]) => {
    const value = Object.hasOwn(given, key) ? given[key] : undefined;
    const name = toFlagName(key);
    if (value === undefined) return [];
    if (spec.type === "boolean") return value === true ? [name] : [];
    const values = spec.repeatable && Array.isArray(value) ? value : [value];
    return values.map((each) => `${name}=${renderFlagValue(spec, each)}`);
  });
}

function fault(message: string): LoopxError {
  return new LoopxError("internal", { message });
}
