import { LoopxError } from "@loopx/contracts";
import { SURFACES, type HostSurface } from "./surface.ts";

/** Accepted for older callers, never offered, stored and compared as its canonical name (seed 003). */
const COMPATIBILITY_ALIASES: ReadonlyMap<string, HostSurface> = new Map([["codex-ide", "codex-ide-plugin"]]);

/**
 * The canonical surface of a `--host-surface` value.
 *
 * Refuses everything else with `invalid_value` and the offered list. `codex` and `cli` are among it: they name several
 * surfaces that are activated differently, and none is guessed.
 */
export function parseHostSurface(text: string): HostSurface {
  const alias = COMPATIBILITY_ALIASES.get(text);
  if (alias !== undefined) return alias;
  const surface = SURFACES.find((candidate) => candidate.hostSurface === text);
  if (surface !== undefined) return surface.hostSurface;
  const offered = SURFACES.map((candidate) => candidate.hostSurface);
  const meant = listMeant(text);
  throw new LoopxError("invalid_value", {
    message: "--host-surface is not one of the known surfaces",
    hint: meant.length > 0 ? `did you mean ${meant.join(" or ")}?` : `use one of ${offered.join(", ")}`,
    details: { field: "host_surface", offered },
  });
}

/** The surfaces whose name, family or agent type was typed, whole or from its beginning. */
function listMeant(text: string): readonly HostSurface[] {
  if (text.length < 3) return [];
  return SURFACES.filter(({ hostSurface, family, agentType }) =>
    [hostSurface, family, agentType].some((name) => name.startsWith(text)),
  ).map((surface) => surface.hostSurface);
}
