import { LoopxError, renderDidYouMean } from "@loopx/contracts";
import type { Profile, ProfileSource } from "../profile/profile.ts";

/**
 * The sources that an assembly scans: those named, else every one that is enabled and not `on_demand`.
 *
 * Refuses with `invalid_value` an id that no enabled source has.
 */
export function selectSources(profile: Profile, named: readonly string[]): readonly ProfileSource[] {
  const enabled = profile.sources.filter((source) => source.enabled);
  const ids = enabled.map(({ source_id }) => source_id);
  const unknown = named.find((id) => !ids.includes(id));
  if (unknown !== undefined) {
    throw new LoopxError("invalid_value", {
      message: `--source-id names no enabled source of the profile${renderDidYouMean(unknown, ids)}`,
      details: { field: "source_id" },
    });
  }
  if (named.length > 0) return enabled.filter(({ source_id }) => named.includes(source_id));
  return enabled.filter(({ scan_mode }) => scan_mode !== "on_demand");
}
