import { HOST_COMMANDS, type HostCommand, type HostProtocol, type MutationPolicy } from "./host-command.ts";

/** The registry that a host reads to recognise the commands (seed 003). */
export interface HostRegistryPacket {
  readonly ok: true;
  readonly schema_version: "codex_app_host_command_registry_v0";
  readonly host_kind: "codex_app";
  readonly commands: readonly HostRegistryRow[];
  readonly unknown_command_policy: "fail_closed_with_slash_help";
}

interface HostRegistryRow {
  readonly command: string;
  readonly kind: string;
  readonly protocol: HostProtocol;
  readonly cli_baseline: string;
  readonly legacy_aliases?: readonly string[];
  readonly mutation_policy: MutationPolicy;
}

/** Renders all seven commands for hosts. A host needs the legacy aliases to canonicalise them; people never see them. */
export function renderHostRegistry(): HostRegistryPacket {
  return {
    ok: true,
    schema_version: "codex_app_host_command_registry_v0",
    host_kind: "codex_app",
    commands: HOST_COMMANDS.map(toRow),
    unknown_command_policy: "fail_closed_with_slash_help",
  };
}

function toRow(command: HostCommand): HostRegistryRow {
  return {
    command: command.command,
    kind: command.kind,
    protocol: command.protocol,
    cli_baseline: command.cliBaseline,
    ...(command.legacyToken !== undefined && { legacy_aliases: [command.legacyToken] }),
    mutation_policy: command.mutationPolicy,
  };
}
