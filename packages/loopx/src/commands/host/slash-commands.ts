import { LoopxError } from "@loopx/contracts";
import {
  isDrift,
  readRequestedHosts,
  renderCommandCatalog,
  renderCommandCatalogText,
  renderHostRegistry,
  renderInstallPacket,
  renderInstallText,
  type InstallHost,
  type InstallOperation,
  type InstallRow,
  type InstallScope,
} from "@loopx/host-commands";
import { printCommand } from "../../command-line/print-command.ts";
import { installHosts } from "../../host-files/install-hosts.ts";
import { describeOwnInstallation } from "../../host-files/own-installation.ts";
import type { CommandResult } from "../../output/command-result.ts";
import { findProjectFolder } from "../../project/project-folder.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

type Input = CommandInput<"slash-commands">;

/** Shows the slash commands, their registry for hosts, or installs, removes and checks them in hosts. */
export const run: CommandHandler<"slash-commands"> = (input) => {
  const operation = findOperation(input.flags);
  if (operation !== undefined) return runInstallation(operation, input);
  const catalog = renderCommandCatalog();
  return {
    packet: input.flags.hostRegistry ? renderHostRegistry() : catalog,
    text: () => renderCommandCatalogText(catalog),
  };
};

/** A dry run alone previews an installation. */
function findOperation(flags: Input["flags"]): InstallOperation | undefined {
  if (flags.check) return "check";
  if (flags.uninstall) return "uninstall";
  if (flags.install || (flags.dryRun && !flags.hostRegistry)) return "install";
  if (flags.surface.length === 0 && flags.scope === undefined) return undefined;
  throw new LoopxError("missing_flag", {
    message: "--surface and --scope say where, but not what to do there",
    hint: "add --install, --uninstall or --check",
    details: { field: "install" },
  });
}

async function runInstallation(
  operation: InstallOperation,
  { flags, globals, ambient }: Input,
): Promise<CommandResult> {
  const scope = flags.scope ?? "user";
  const isDryRun = flags.dryRun;
  const requested = flags.surface.length === 0 ? undefined : readRequestedHosts(flags.surface);
  const { hosts, rows } = await installHosts({
    operation,
    isDryRun,
    scope,
    requested,
    projectRoot: scope === "project" ? findProjectFolder({ globals, ambient }) : undefined,
    ambient,
    ...describeOwnInstallation(),
  });
  const next = listNext({ operation, isDryRun, scope, rows, surface: flags.surface });
  const isCodexExact = requested?.codexSurface !== undefined;
  const packet = renderInstallPacket({ operation, isDryRun, scope, hosts, rows, next, isCodexExact });
  return { packet, text: () => renderInstallText(packet), exitCode: packet.ok ? 0 : 1 };
}

interface Finished {
  readonly operation: InstallOperation;
  readonly isDryRun: boolean;
  readonly scope: InstallScope;
  readonly rows: readonly InstallRow[];
  readonly surface: Input["flags"]["surface"];
}

/** A preview leads to the real run, a check to what mends it; both are one command. */
function listNext({ operation, isDryRun, scope, rows, surface }: Finished): readonly string[] {
  const where = { ...(scope === "project" && { scope }), surface };
  if (operation === "uninstall")
    return isDryRun ? [printCommand("slash-commands", { uninstall: true, ...where }).shell] : [];
  const drifted = rows.filter(({ status, reason }) => isDrift(status) && reason === undefined);
  if (operation === "check") return drifted.length === 0 ? [] : [printRepair(drifted, scope)];
  if (isDryRun) return [printCommand("slash-commands", { install: true, ...where }).shell];
  return rows.some(({ status }) => status === "blocked")
    ? [printCommand("slash-commands", { check: true, ...where }).shell]
    : [];
}

/** The one command that brings these rows up to date. */
export function printRepair(rows: readonly InstallRow[], scope: InstallScope): string {
  const hosts: readonly InstallHost[] = [...new Set(rows.map(({ host }) => host))];
  return printCommand("slash-commands", { install: true, surface: hosts, ...(scope === "project" && { scope }) }).shell;
}
