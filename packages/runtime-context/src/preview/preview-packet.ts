import { toShownFacts, toShownLayer } from "../turn/turn-packet.ts";
import type { Preview } from "./preview-turn.ts";

/** What `context preview` answers: the parts of a turn's packet, and where each provider's answer comes from. */
export function toPreviewPacket({ evaluation, sources }: Preview): object {
  const { plan, result, ignoredInputs } = evaluation;
  return {
    outcome: result.outcome,
    profile: plan.profile.id,
    layers: result.layers.map(toShownLayer),
    sources: sources.map(({ provider, source, tests, warning }) => ({
      provider,
      source,
      tests,
      ...(warning === null ? {} : { warning }),
    })),
    ...toShownFacts({ result, ignoredInputs }),
    rendered: result.rendered,
  };
}
