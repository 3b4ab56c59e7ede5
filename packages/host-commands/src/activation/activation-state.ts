import type { Digest } from "@loopx/contracts";
import type { PrintCommand } from "../print-command.ts";
import { SURFACES, type HostSurface } from "../surfaces/surface.ts";
import { renderTaskBody } from "./task-body.ts";

/** What was recorded when a lane's loop was set up. */
export interface RecordedActivation {
  readonly goalId: string;
  readonly agentId: string;
  readonly hostSurface: string;
  readonly threadId: string | undefined;
  /** What wakes the agent, where it said so itself. */
  readonly loopDriver: string | undefined;
  readonly taskBodyDigest: string;
  readonly recordedAt: string;
}

/**
 * Whether a lane's loop is known to carry what it should. `missing`: nothing was recorded. `stale`: another surface or another
 * task body was. A record says what was set up, not that it still runs.
 */
export type ActivationState = "missing" | "stale" | "current";

/** The state of a lane's record for one surface and the body that its loop should carry. */
export function decideActivationState(
  record: RecordedActivation | undefined,
  wanted: { readonly hostSurface: HostSurface; readonly taskBodyDigest: Digest },
): ActivationState {
  if (record === undefined) return "missing";
  const isSame = record.hostSurface === wanted.hostSurface && record.taskBodyDigest === wanted.taskBodyDigest;
  return isSame ? "current" : "stale";
}

/** The state of a record by itself: whether the body of its own surface and thread is still the one that was recorded. */
export function checkRecordedActivation(record: RecordedActivation, print: PrintCommand): "stale" | "current" {
  const surface = SURFACES.find(({ hostSurface }) => hostSurface === record.hostSurface);
  if (surface === undefined) return "stale";
  return renderTaskBody(surface.hostSurface, record, print).digest === record.taskBodyDigest ? "current" : "stale";
}
