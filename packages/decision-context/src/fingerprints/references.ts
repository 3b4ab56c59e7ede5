import { sha256Hex } from "@loopx/contracts";
import { toStableJson } from "./stable-json.ts";

const DIGITS = 20;

/** What a packet of each kind is called by, and the field that holds it. */
const PACKET_KINDS = {
  "decision-evidence": "packet_ref",
  "decision-proposal": "packet_ref",
  "decision-review": "packet_ref",
  "decision-outcome": "packet_ref",
  "decision-context-assembly": "assembly_ref",
  "decision-cursor-checkpoint": "checkpoint_ref",
  "decision-cursor-commit": "receipt_ref",
  "decision-source-manifest": "manifest_ref",
  "decision-source-scan": "receipt_ref",
  "decision-feedback": "feedback_ref",
} as const;

type PacketKind = keyof typeof PACKET_KINDS;

/** The reference of a packet: equal contents have equal references. What the packet says of elapsed time has no part in it. */
export function toPacketRef(kind: PacketKind, packet: object): string {
  const field = PACKET_KINDS[kind];
  const named = Object.entries(packet).filter(([key]) => key !== field);
  return `${kind}-${sha256Hex(toStableJson(Object.fromEntries(named))).slice(0, DIGITS)}`;
}

/** Stands for a private reference in public: the same parts always give the same one, and it gives none of them away. */
function toOpaqueRef(prefix: string, ...parts: readonly string[]): string {
  return `${prefix}-${sha256Hex(parts.join("\n")).slice(0, DIGITS)}`;
}

/** The public name of what a recall provider found. */
export function toProviderRef(provider: string, namespace: string, resourceRef: string): string {
  return toOpaqueRef("provider", provider, namespace, resourceRef);
}

/** What a source's own names are hashed with. */
export interface SourceName {
  readonly provider_id: string;
  readonly source_id: string;
}

export function toChangeRef({ provider_id, source_id }: SourceName, resourceRef: string): string {
  return toOpaqueRef("source-change", provider_id, source_id, resourceRef);
}

export function toRevisionRef({ provider_id, source_id }: SourceName, resourceRef: string, revision: string): string {
  return toOpaqueRef("source-revision", provider_id, source_id, resourceRef, revision);
}

export function toCursorRef({ provider_id, source_id }: SourceName, cursor: string): string {
  return toOpaqueRef("source-cursor", provider_id, source_id, cursor);
}
