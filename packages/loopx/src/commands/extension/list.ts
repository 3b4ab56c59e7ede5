import { bindVerified, findActive, listExtensionStates, type ExtensionState } from "@loopx/extensions";
import { printCommand } from "../../command-line/print-command.ts";
import { renderTable } from "../../output/render-table.ts";
import { joinLines, OWNER_RUNS_THESE, renderNext } from "../../packets/render-facts.ts";
import { withHomeToRead } from "../../project/open-home.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Every installed extension; whether one is verified is looked at now. */
export const run: CommandHandler<"extension list"> = async ({ ambient }) => {
  const states = await withHomeToRead(ambient, async (home) => home?.read(listExtensionStates) ?? []);
  const extensions = states.map(describe);
  const next = listNext(extensions);
  return {
    packet: { ok: true, schema_version: "loopx_extension_state_v0", extensions, next },
    text: (style) =>
      joinLines(
        extensions.length === 0
          ? "no extension is installed"
          : renderTable(
              [
                { title: "EXTENSION" },
                { title: "VERSION" },
                { title: "STATE" },
                { title: "REVISION" },
                { title: "IMPLEMENTS" },
              ],
              extensions.map((each) => [
                each.id,
                each.version,
                sayState(each),
                each.active_revision,
                each.implements.join(", "),
              ]),
              style,
            ),
        renderNext(next, style, OWNER_RUNS_THESE),
      ),
  };
};

interface ListedExtension {
  readonly id: string;
  readonly version: string;
  readonly enabled: boolean;
  readonly active_revision: string;
  readonly rollback_available: boolean;
  readonly doctor_verified: boolean;
  readonly revision_count: number;
  readonly implements: readonly string[];
}

function describe(state: ExtensionState): ListedExtension {
  const { extension, revisions } = state;
  const revision = findActive(state);
  return {
    id: extension.extension_id,
    version: revision.manifest.provider.version,
    enabled: extension.enabled,
    active_revision: extension.active_revision,
    rollback_available: extension.rollback_revision !== null,
    doctor_verified: extension.enabled && bindVerified({ extension, revision }) !== undefined,
    revision_count: revisions.length,
    implements: revision.manifest.implementations.map(({ capability_id: capabilityId }) => capabilityId),
  };
}

function sayState({ enabled, doctor_verified: isVerified }: ListedExtension): string {
  if (!enabled) return "disabled";
  return isVerified ? "ready" : "not verified";
}

/** What mends each extension that is in use and not ready; how to begin where there is none. */
function listNext(extensions: readonly ListedExtension[]): readonly string[] {
  if (extensions.length === 0) {
    return [printCommand("extension install", { bundled: "session-history", execute: true }).shell];
  }
  return extensions
    .filter(({ enabled, doctor_verified: isVerified }) => enabled && !isVerified)
    .map(({ id }) => printCommand("extension doctor", { execute: true }, { positionals: [id] }).shell);
}
