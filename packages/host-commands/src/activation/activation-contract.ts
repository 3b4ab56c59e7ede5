import type { PrintCommand } from "../print-command.ts";
import { surfaceOf, type ActivationMethod, type HostSurface } from "../surfaces/surface.ts";
import { decideActivationState, type ActivationState } from "./activation-state.ts";
import type { LaneActivation } from "./activation.ts";
import { hostWordsOf } from "./host-words.ts";
import { printHeartbeat, printRecord } from "./print-activation.ts";
import { renderTaskBody, type ActivationTarget } from "./task-body.ts";

/** What is agreed on for the loop of one surface; the lane's own commands are there once the lane is settled. */
export interface ActivationContract {
  readonly schema_version: "loopx_host_loop_activation_v1";
  readonly host_surface: HostSurface;
  readonly activation_method: ActivationMethod;
  readonly host_mutation: {
    readonly owner: string;
    /** No host lets a command from outside set up its loop. */
    readonly cli_can_mutate_directly: false;
    readonly missing_host_tool_gate: string;
  };
  readonly steps: readonly string[];
  readonly success_criteria: readonly string[];
  /** What to paste where the host can't be changed from outside. */
  readonly paste?: string;
}

/** The contract of a surface, without any lane. */
export function renderActivationContract(hostSurface: HostSurface): ActivationContract {
  const words = hostWordsOf(hostSurface);
  return {
    schema_version: "loopx_host_loop_activation_v1",
    host_surface: hostSurface,
    activation_method: surfaceOf(hostSurface).activationMethod,
    host_mutation: {
      owner: words.owner,
      cli_can_mutate_directly: false,
      missing_host_tool_gate: words.missingHostTool,
    },
    steps: ["Take task_body from heartbeat_command.", ...words.steps, "Then run record_command."],
    success_criteria: words.successCriteria,
    ...(words.pastePrefix !== undefined && { paste: `${words.pastePrefix}<task_body>` }),
  };
}

/** The commands that a settled lane sets its loop up with, and whether it has to. */
export interface ActivationCommands {
  readonly state: ActivationState;
  readonly recorded_at?: string;
  readonly recorded_surface?: string;
  readonly loop_driver?: string;
  readonly task_body_digest: string;
  readonly heartbeat_command: string;
  readonly record_command: string;
  /** The driver for a host that has none, run by a person at a terminal. */
  readonly drive_command?: string;
}

export function renderActivationCommands(
  lane: LaneActivation & { readonly loopDriver: string | undefined },
  print: PrintCommand,
): ActivationCommands {
  const { hostSurface, target, record } = lane;
  const { digest } = renderTaskBody(hostSurface, target, print);
  const { activationMethod } = surfaceOf(hostSurface);
  const isDriverless =
    activationMethod === "run_agent_cli_loop_gated_by_quota" || activationMethod === "external_loop_driver";
  return {
    state: decideActivationState(record, { hostSurface, taskBodyDigest: digest }),
    ...(record !== undefined && { recorded_at: record.recordedAt }),
    ...(record !== undefined && record.hostSurface !== hostSurface && { recorded_surface: record.hostSurface }),
    ...(lane.loopDriver !== undefined && { loop_driver: lane.loopDriver }),
    task_body_digest: digest,
    heartbeat_command: printHeartbeat(lane, print),
    record_command: printRecord({ ...lane, taskBodyDigest: digest }, print),
    ...(isDriverless && { drive_command: printDrive(target, print) }),
  };
}

function printDrive(target: ActivationTarget, print: PrintCommand): string {
  return print("drive", { "goal-id": target.goalId, "agent-id": target.agentId }, ["<command of the agent>"]);
}
