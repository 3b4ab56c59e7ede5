import { LoopxError, renderShellCommand } from "@loopx/contracts";
import type { PrintCommand } from "@loopx/host-commands";
import { findCommand } from "../command-table/command-table.ts";
import { toFlagKey } from "./flag-name.ts";

/**
 * The host-commands part's port for printing: words and flags as they are typed, checked against the table.
 *
 * A command that a packet names only in part (`loopx start-goal`) need not have its required flags.
 */
export const printForHosts: PrintCommand = (words, flags, command = []) => {
  const spec = findCommand(words)?.spec;
  if (spec === undefined) throw new LoopxError("internal", { message: `no command ${words} to print` });
  const argv = ["loopx", ...words.split(" ")];
  for (const [name, value] of Object.entries(flags)) {
    const key = toFlagKey(`--${name}`);
    const isKnown = name === "project" || (key !== undefined && Object.hasOwn(spec.flags, key));
    if (!isKnown) throw new LoopxError("internal", { message: `${words} has no flag --${name} to print` });
    if (value === undefined || value === false) continue;
    if (value === true) argv.push(`--${name}`);
    else for (const each of typeof value === "string" ? [value] : value) argv.push(`--${name}=${each}`);
  }
  if (command.length > 0) argv.push("--", ...command);
  return renderShellCommand(argv);
};
