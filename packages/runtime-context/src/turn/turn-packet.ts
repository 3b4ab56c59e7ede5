import type { TurnAnswer } from "./run-turn.ts";

/** The answer of `POST /v1/turns` and of `loopx context turn`: snake_case, each fact once. */
export function toTurnPacket({ result, trace, isTraced }: TurnAnswer): object {
  return {
    contract: "context-turn.v1",
    outcome: result.outcome,
    trace_id: trace.id,
    traced: isTraced,
    profile: trace.profile,
    build: trace.buildDigest,
    layers: result.layers.map((layer) => ({
      layer: layer.layer,
      rule: layer.rule,
      state: layer.state,
      ...(layer.reason === null ? {} : { reason: layer.reason }),
      ...(layer.provider === null ? {} : { provider: layer.provider, provider_status: layer.providerStatus }),
      ...(layer.currentness === null ? {} : { currentness: layer.currentness }),
      selected: layer.isSelected,
      ...(layer.notSelectedBecause === null ? {} : { not_selected_because: layer.notSelectedBecause }),
      bytes: layer.bytes,
    })),
    unknowns: result.unknowns,
    ...(result.blockedBy.length === 0 ? {} : { blocked_by: result.blockedBy }),
    budget: result.budget,
    sanitized: result.sanitizedCount,
    rendered: result.rendered,
  };
}
