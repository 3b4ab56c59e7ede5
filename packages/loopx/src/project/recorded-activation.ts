import type { Activation } from "@loopx/control-plane";
import type { RecordedActivation } from "@loopx/host-commands";

/** A stored record, as the host commands read it. */
export function toRecordedActivation(activation: Activation): RecordedActivation {
  return {
    goalId: activation.goal_id,
    agentId: activation.agent_id,
    hostSurface: activation.host_surface,
    threadId: activation.thread_id ?? undefined,
    loopDriver: activation.loop_driver ?? undefined,
    taskBodyDigest: activation.task_body_digest,
    recordedAt: activation.recorded_at,
  };
}
