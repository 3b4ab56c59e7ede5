import type { PrintCommand } from "../print-command.ts";
import { surfaceOf, type HostSurface } from "../surfaces/surface.ts";
import type { ActivationTarget } from "./task-body.ts";

/** A lane on the surface that wakes it. */
export interface PlacedLane {
  readonly hostSurface: HostSurface;
  readonly target: ActivationTarget;
  readonly loopDriver?: string | undefined;
}

/** The command that prints the lane's task body. */
export function printHeartbeat({ hostSurface, target }: PlacedLane, print: PrintCommand): string {
  return print("heartbeat-prompt", listLane({ hostSurface, target }));
}

/** The command that records that a loop was set up; with a digest, with which body: another version may print another. */
export function printRecord(lane: PlacedLane & { readonly taskBodyDigest?: string }, print: PrintCommand): string {
  const isDeclared = lane.hostSurface === "other-agent";
  return print("agent-onboard", {
    ...listLane(lane),
    "loop-driver": lane.loopDriver ?? (isDeclared ? "<what wakes the agent>" : undefined),
    "task-body-digest": lane.taskBodyDigest,
    "record-activation": true,
    execute: true,
  });
}

function listLane({ hostSurface, target }: PlacedLane): Readonly<Record<string, string | undefined>> {
  return {
    "agent-type": surfaceOf(hostSurface).agentType,
    "goal-id": target.goalId,
    "agent-id": target.agentId,
    "thread-id": target.threadId,
  };
}
