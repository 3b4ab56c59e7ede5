import { alignRows } from "../text-rows.ts";
import { HOST_COMMANDS, type HostCommand, type MutationPolicy } from "./host-command.ts";

/** The slash commands for whoever wants to use one. */
export interface CommandCatalogPacket {
  readonly ok: true;
  readonly schema_version: "loopx_slash_command_catalog_v0";
  readonly canonical_prefix: "/loopx";
  readonly commands: readonly CatalogRow[];
  readonly help: { readonly cli_command: string; readonly codex: string; readonly install_command: string };
}

interface CatalogRow {
  readonly command: string;
  readonly scope: HostCommand["scope"];
  readonly intent: string;
  readonly mutation_policy: MutationPolicy;
  readonly cli_reference: string;
}

/** The command that shows this help. */
export const SLASH_HELP_COMMAND = "loopx slash-commands";

/** Renders the seven commands, canonical forms only. */
export function renderCommandCatalog(): CommandCatalogPacket {
  return {
    ok: true,
    schema_version: "loopx_slash_command_catalog_v0",
    canonical_prefix: "/loopx",
    commands: HOST_COMMANDS.map((command) => ({
      command: command.command,
      scope: command.scope,
      intent: command.intent,
      mutation_policy: command.mutationPolicy,
      cli_reference: command.cliBaseline,
    })),
    help: {
      cli_command: SLASH_HELP_COMMAND,
      codex: "Codex keeps / for itself: write $loopx there.",
      install_command: `${SLASH_HELP_COMMAND} --install`,
    },
  };
}

/** The same for people. It is also what an unknown command answers. */
export function renderCommandCatalogText(packet: CommandCatalogPacket): string {
  const rows = packet.commands.map((row): readonly [string, string] => [row.command, row.intent]);
  const references = packet.commands.map((row): readonly [string, string] => [row.command, row.cli_reference]);
  return [
    "Type one of these at the very start of a message to your agent:",
    alignRows(rows),
    "",
    packet.help.codex,
    "",
    "From a shell:",
    alignRows(references),
    "",
    `To have them in your agent hosts: ${packet.help.install_command}`,
  ].join("\n");
}
