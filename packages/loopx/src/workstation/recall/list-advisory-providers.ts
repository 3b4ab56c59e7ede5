import type { Ambient } from "@loopx/contracts";
import {
  ADVISORY_CAPABILITY,
  ADVISORY_PERMISSION,
  ADVISORY_PROTOCOL,
  findActive,
  listExtensionStates,
  resolveProvider,
  type ExtensionState,
  type NextAction,
  type ProviderReadiness,
} from "@loopx/extensions";
import type { Transaction } from "@loopx/store";
import type { RecallProviderRow, RecallProvidersAnswer } from "@loopx/workstation/contract";
import { printCommand } from "../../command-line/print-command.ts";
import { withHomeToRead } from "../../project/open-home.ts";

/** The extensions that say they can recall, and whether each is ready now: files are looked at, nothing is started. */
export async function listAdvisoryProviders(ambient: Ambient): Promise<RecallProvidersAnswer> {
  const providers = await withHomeToRead(ambient, async (home) => home?.read(listRows) ?? []);
  const first = printCommand("extension install", { bundled: "session-history", execute: true }).shell;
  return { ok: true, providers, next: providers.length === 0 ? [first] : [] };
}

async function listRows(tx: Transaction): Promise<readonly RecallProviderRow[]> {
  const rows: RecallProviderRow[] = [];
  for (const state of await listExtensionStates(tx)) {
    if (!isAdvisory(state)) continue;
    const { extension_id: extensionId } = state.extension;
    const { readiness } = await resolveProvider(tx, { ...ADVISORY_NEED, extensionId });
    rows.push(toRow(state, readiness));
  }
  return rows;
}

const ADVISORY_NEED = {
  capabilityId: ADVISORY_CAPABILITY,
  protocol: ADVISORY_PROTOCOL,
  permission: ADVISORY_PERMISSION,
} as const;

function isAdvisory(state: ExtensionState): boolean {
  const { implementations } = findActive(state).manifest;
  return implementations.some(({ capability_id: capabilityId }) => capabilityId === ADVISORY_CAPABILITY);
}

function toRow(state: ExtensionState, { status, doctor_verified, next_action }: ProviderReadiness): RecallProviderRow {
  const { extension_id, enabled } = state.extension;
  return {
    extension_id,
    version: findActive(state).manifest.provider.version,
    enabled,
    doctor_verified: doctor_verified ?? false,
    status,
    next_action,
    command: next_action === null ? null : printNextAction(next_action, extension_id),
  };
}

/** What an owner runs. Which program is in use is decided at a terminal, not here. */
function printNextAction(action: NextAction, extensionId: string): string {
  const positionals = { positionals: [extensionId] };
  switch (action) {
    case "enable_extension":
      return printCommand("extension enable", { execute: true }, positionals).shell;
    case "run_extension_doctor":
      return printCommand("extension doctor", { execute: true }, positionals).shell;
    case "repair_extension_state":
      return printCommand("doctor", {}).shell;
    case "install_extension":
    case "install_compatible_extension":
    case "select_extension_id":
    case "install_or_select_extension":
    case "select_or_repair_extension":
      return printCommand("extension list", {}).shell;
    default:
      return action satisfies never;
  }
}
