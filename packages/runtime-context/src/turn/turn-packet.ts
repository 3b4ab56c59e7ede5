import type { ContextTrace } from "../trace/context-trace.ts";
import type { LayerResult } from "../kernel/turn-result.ts";
import { onceIfSettled } from "../kernel/settled-part.ts";
import { hasPlainContent, quoteContent } from "../rendering/item-content.ts";
import type { RenderedPart } from "../rendering/render-material.ts";
import type { TurnAnswer } from "./run-turn.ts";

/** The answer of `POST /v1/turns` and of `loopx context turn`: snake_case, each fact once. */
export function toTurnPacket(answer: ShownAnswer): object {
  const { result } = answer;
  return {
    ...toBeginning(answer),
    layers: result.layers.map(toShownLayer),
    ...toShownFacts(answer),
    rendered: result.rendered,
  };
}

type ShownAnswer = Pick<TurnAnswer, "result" | "trace" | "isTraced" | "ignoredInputs">;

function toBeginning({ result, trace, isTraced }: ShownAnswer): object {
  return {
    contract: "context-turn.v1",
    outcome: result.outcome,
    trace_id: trace.id,
    traced: isTraced,
    profile: trace.profile,
    build: trace.buildDigest,
  };
}

export function toShownFacts({ result, ignoredInputs }: Pick<ShownAnswer, "result" | "ignoredInputs">): object {
  const { unknowns, blockedBy, budget, sanitizedCount } = result;
  return {
    ...(ignoredInputs.length === 0 ? {} : { ignored_inputs: ignoredInputs }),
    unknowns,
    ...(blockedBy.length === 0 ? {} : { blocked_by: blockedBy }),
    budget,
    sanitized: sanitizedCount,
  };
}

/** Leaves out what nothing is to be said of, such as why a layer that wasn't asked for isn't selected. */
export function toShownLayer(layer: LayerResult): object {
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
  const layers = result.layers.map(renderShownLayer).join(",");
  const beginning = JSON.stringify(toBeginning(answer)).slice(0, -1);
  const head = `${beginning},"layers":[${layers}],${JSON.stringify(toShownFacts(answer)).slice(1, -1)},"rendered":`;
  return result.rendered.length < LONG_TEXT
    ? `${head}${JSON.stringify(result.rendered)}}`
    : encodePacket(head, result.renderedParts);
}

const renderShownLayer = onceIfSettled((layer: LayerResult) => JSON.stringify(toShownLayer(layer)));

const LONG_TEXT = 8192;

/** Part by part: see `renderedParts`. Escapes never reach over two parts. */
function encodePacket(head: string, renderedParts: readonly RenderedPart[]): Uint8Array {
  const pieces = [toPiece(`${head}"`), ...renderedParts.map(escapePart), toPiece('"}')];
  const bytes = Buffer.allocUnsafeSlow(pieces.reduce((sum, { byteCount }) => sum + byteCount, 0));
  let offset = 0;
  for (const { text } of pieces) offset += bytes.write(text, offset);
  return bytes;
}

interface PacketPiece {
  readonly text: string;
  readonly byteCount: number;
}

function escapePart({ text, item }: RenderedPart): PacketPiece {
  if (item === null) return toPiece(JSON.stringify(text).slice(1, -1));
  const escaped = quoteContent(item).slice(1, -1);
  return hasPlainContent(item) ? { text: escaped, byteCount: escaped.length } : toPiece(escaped);
}

function toPiece(text: string): PacketPiece {
  return { text, byteCount: Buffer.byteLength(text) };
}
