import type { EventRow } from "@loopx/workstation/contract";
import { EVENT_TYPES, renderActor, type StoredEvent } from "@loopx/control-plane";

/** An event as the timeline shows it. */
export function toEventRow(event: StoredEvent): EventRow {
  return {
    seq: event.seq,
    at: event.at,
    type: event.type,
    says: sayEvent(event),
    by: renderActor(event.actor),
    entity: event.entity,
    entity_id: event.entity_id,
    title: readText(event.image, "text") ?? readText(event.image, "objective") ?? readText(event.image, "archive"),
  };
}

function sayEvent({ type, image }: StoredEvent): string {
  if (type === "events_compacted.v1") {
    return `${String(image["removed_count"])} events up to ${String(image["through_seq"])} were removed by an owner's policy`;
  }
  if (type !== "gate_decided.v1") return EVENT_TYPES[type].means;
  const { gate } = image;
  const decision = typeof gate === "object" && gate !== null && "decision" in gate ? gate.decision : undefined;
  return typeof decision === "string" ? `a gate was ${decision}` : EVENT_TYPES[type].means;
}

function readText(image: StoredEvent["image"], field: string): string | null {
  const value = image[field];
  return typeof value === "string" ? value : null;
}
