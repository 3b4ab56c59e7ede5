import type { ContextTrace } from "../trace/context-trace.ts";
import type { TurnAnswer } from "./run-turn.ts";

/** The answer of `POST /v1/turns` and of `loopx context turn`: snake_case, each fact once. */
export function toTurnPacket({ result, trace, isTraced }: Pick<TurnAnswer, "result" | "trace" | "isTraced">): object {
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

/** A packet's JSON before and behind what tells one turn from another. */
export interface PacketTemplate {
  readonly head: string;
  readonly tail: string;
}

/** What all packets of one result have in common. */
export function toPacketTemplate(answer: {
  readonly result: TurnAnswer["result"];
  readonly trace: ContextTrace;
}): PacketTemplate {
  const packet = { ...toTurnPacket({ ...answer, isTraced: false }), trace_id: "" };
  const [head = "", ...tail] = JSON.stringify(packet).split('"trace_id":"","traced":false');
  return { head, tail: tail.join("") };
}

/** The packet as JSON. */
export function renderTurnPacket(answer: TurnAnswer): string {
  const { settled, trace, isTraced } = answer;
  if (settled === null) return JSON.stringify(toTurnPacket(answer));
  const { head, tail } = settled.packet;
  return `${head}"trace_id":${JSON.stringify(trace.id)},"traced":${isTraced}${tail}`;
}
