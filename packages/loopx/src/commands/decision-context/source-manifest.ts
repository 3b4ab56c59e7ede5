import { decideActivation, toSourceManifest } from "@loopx/decision-context";
import { loadProfile } from "../../decision-context/load-profile.ts";
import { renderActivation } from "../../decision-context/render-activation.ts";
import { SOURCE_ADAPTER_NAMES } from "../../decision-context/source-adapter-names.ts";
import { renderTable } from "../../output/render-table.ts";
import { joinLines } from "../../packets/render-facts.ts";
import type { CommandHandler } from "../command-handler.ts";

const COLUMNS = [
  { title: "SOURCE" },
  { title: "PROVIDER" },
  { title: "KIND" },
  { title: "PRIORITY" },
  { title: "SCAN" },
];

/** Lists the profile's sources without their places. Scans none. */
export const run: CommandHandler<"decision-context source-manifest"> = ({ flags, ambient }) => {
  const loaded = loadProfile(flags.profile, ambient);
  const { activation, profile } = decideActivation(loaded, { ...flags, adapters: SOURCE_ADAPTER_NAMES });
  const manifest = profile === null ? null : toSourceManifest(profile, flags.observedAt ?? ambient.now());
  const rows = (manifest?.sources ?? []).map((source) => [
    source.source_id,
    source.provider_id,
    source.source_kind,
    source.priority,
    source.enabled ? source.scan_mode : "off",
  ]);
  return {
    packet: { ...activation, source_manifest: manifest },
    text: (style) =>
      joinLines(
        renderActivation(activation, loaded, style),
        rows.length === 0 ? "" : renderTable(COLUMNS, rows, style),
      ),
  };
};
