import type { HostActivation } from "../activation/activation.ts";
import type { CommandPackDetail } from "../command-pack/command-pack-detail.ts";
import type { GoalSelectionGate } from "../gates/goal-selection-gate.ts";
import type { HostSurfaceGate } from "../gates/host-surface-gate.ts";
import type { IdentityGate } from "../gates/identity-gate.ts";
import type { ProjectGate } from "../gates/project-gate.ts";
import type { HostSurface } from "../surfaces/surface.ts";
import type { GuidedStep } from "./ordered-steps.ts";
import type { PlanningContract } from "./planning-contract.ts";
import type { SafetyContract } from "./safety-contract.ts";

export type GuidedStartBlocker =
  | "project_setup"
  | "host_surface_selection"
  | "goal_selection"
  | "agent_identity_selection";

export interface GuidedTransaction {
  readonly mode: "dry_run_preview";
  readonly writes_now: boolean;
  readonly spends_quota_now: boolean;
  readonly blocked_by?: GuidedStartBlocker;
  readonly ordered_steps: readonly GuidedStep[];
}

/** What every guided packet carries. `goal_text` is the exact task text and stands here once. */
export interface GuidedStartHead {
  readonly ok: true;
  readonly schema_version: "loopx_start_goal_guided_v0";
  readonly read_only: boolean;
  readonly guided: true;
  readonly project_root_label?: string;
  /** People are shown it as the active state id (seed 003). */
  readonly goal_id?: string;
  readonly agent_id?: string;
  readonly thread_id?: string;
  readonly host_surface?: HostSurface;
  readonly goal_text: string;
  /** Kinds of content found in the task text, such as `local_path`. */
  readonly task_text_contains: readonly string[];
  readonly guided_transaction: GuidedTransaction;
  readonly safety_contract: SafetyContract;
}

/** A start that waits for one answer. Exactly one gate is there. */
export interface GatedStartPacket extends GuidedStartHead {
  readonly project_gate?: ProjectGate;
  readonly host_surface_selection_gate?: HostSurfaceGate;
  readonly goal_selection_gate?: GoalSelectionGate;
  readonly identity_selection_gate?: IdentityGate;
}

/** A start that nothing blocks. */
export interface ReadyStartPacket extends GuidedStartHead {
  readonly goal_plan: {
    readonly mode: "new_goal" | "existing_goal";
    /** False for a goal that exists: its objective is never changed by a start. */
    readonly sets_objective: boolean;
    readonly note: string;
  };
  readonly planning_contract: PlanningContract;
  readonly host_activation: HostActivation;
  /** The cold path: the same start with the lower-level fields. */
  readonly detail_command: string;
  readonly command_pack?: CommandPackDetail;
}

export type GuidedStartPacket = GatedStartPacket | ReadyStartPacket;
