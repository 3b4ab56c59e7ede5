import type { ContextTrace } from "../trace/context-trace.ts";
import type { LayerResult, TurnResult } from "../kernel/turn-result.ts";
import type { TurnAnswer } from "./run-turn.ts";

/** The answer of `POST /v1/turns` and of `loopx context turn`: snake_case, each fact once. */
export function toTurnPacket({
  result,
  trace,
  isTraced,
  ignoredInputs,
}: Pick<TurnAnswer, "result" | "trace" | "isTraced" | "ignoredInputs">): object {
  return {
    contract: "context-turn.v1",
    outcome: result.outcome,
    trace_id: trace.id,
    traced: isTraced,
    profile: trace.profile,
    build: trace.buildDigest,
    layers: result.layers.map(toShownLayer),
    ...(ignoredInputs.length === 0 ? {} : { ignored_inputs: ignoredInputs }),
    unknowns: result.unknowns,
    ...(result.blockedBy.length === 0 ? {} : { blocked_by: result.blockedBy }),
    budget: result.budget,
    sanitized: result.sanitizedCount,
    rendered: result.rendered,
  };
}

/** Leaves out what nothing is to be said of, such as why a layer that wasn't asked for isn't selected. */
function toShownLayer(layer: LayerResult): object {
  const shown: Record<string, unknown> = { layer: layer.layer, rule: layer.rule, state: layer.state };
  if (layer.reason !== null) shown["reason"] = layer.reason;
  if (layer.provider !== null) {
    shown["provider"] = layer.provider;
    shown["provider_status"] = layer.providerStatus;
    if (layer.providerReason !== null) shown["provider_reason"] = layer.providerReason;
    if (layer.providerPointer !== null) shown["provider_pointer"] = layer.providerPointer;
  }
  if (layer.currentness !== null) shown["currentness"] = layer.currentness;
  shown["selected"] = layer.isSelected;
  const isOfInterest = layer.notSelectedBecause !== null && layer.state !== "NOT_REQUESTED";
  if (isOfInterest) shown["not_selected_because"] = layer.notSelectedBecause;
  shown["bytes"] = layer.bytes;
  return shown;
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
  const packet = { ...toTurnPacket({ ...answer, isTraced: false, ignoredInputs: [] }), trace_id: "" };
  const [head = "", ...tail] = JSON.stringify(packet).split('"trace_id":"","traced":false');
  return { head, tail: tail.join("") };
}

/** The packet as JSON: text, or its UTF-8 bytes where it is long. */
export function renderTurnPacket(answer: TurnAnswer): string | Uint8Array {
  const { settled, trace, isTraced, result } = answer;
  if (settled !== null) {
    const { head, tail } = settled.packet;
    return `${head}"trace_id":${JSON.stringify(trace.id)},"traced":${isTraced}${tail}`;
  }
  const packet = toTurnPacket(answer);
  return result.rendered.length < LONG_TEXT ? JSON.stringify(packet) : encodePacket(packet, result);
}

const LONG_TEXT = 8192;
const END = '"}';

/** Part by part: see `renderedParts`. `rendered` is the packet's last member, and escapes never reach over two parts. */
function encodePacket(packet: object, { renderedParts }: TurnResult): Uint8Array {
  const empty = JSON.stringify({ ...packet, rendered: "" });
  const pieces = [empty.slice(0, -END.length), ...renderedParts.map((part) => JSON.stringify(part).slice(1, -1)), END];
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0));
  let offset = 0;
  for (const piece of pieces) offset += bytes.write(piece, offset);
  return bytes;
}
