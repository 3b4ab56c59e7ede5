import { basename } from "node:path";
import { isLoopxError, toErrorPacket } from "@loopx/contracts";
import type { ContextPlaceRow, PlaceFault } from "@loopx/workstation/contract";
import { loadPlacedProject, type ContextPlace } from "./context-place.ts";

/** A place as pages show it: what stands in the way of its project is part of the answer, never the end of it. */
export async function toPlaceRow(place: ContextPlace): Promise<ContextPlaceRow> {
  const known = {
    place: place.id,
    has_binding: place.binding !== null,
    keeps_traces: place.traces !== null && place.binding !== null,
    attached_to: place.attachments,
    named_at_start: place.isNamedAtStart,
  };
  try {
    const { project } = await loadPlacedProject(place);
    return { ...known, label: project.id, version: project.version, fault: null };
  } catch (error) {
    if (!isLoopxError(error)) throw error;
    return { ...known, label: basename(place.folder), version: null, fault: toFault(error) };
  }
}

/** An error as a part of an answer, redacted as everywhere. */
export function toFault(error: unknown): PlaceFault {
  const { code, message, hint } = toErrorPacket(error).error;
  return { code, message, hint: hint ?? null };
}
