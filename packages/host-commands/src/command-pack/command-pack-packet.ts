import type { ProjectGate } from "../gates/project-gate.ts";
import type { GoalFact } from "../guided-start/goal-selection.ts";
import type { ProjectConnection } from "../guided-start/guided-start-facts.ts";
import type { SafetyContract } from "../guided-start/safety-contract.ts";
import type { IdentityDecision } from "../identity/identity.ts";

export type NextStepKind =
  | "set_up_project"
  | "confirm_before_bootstrap_mutation"
  | "select_host_surface"
  | "select_goal"
  | "select_agent_identity"
  | "goal_plan_write_and_activate"
  | "status_and_loop_activation";

/** What bare `/loopx` shows: where the project stands and the one thing to do next. Nothing is written. */
export interface CommandPackPacket {
  readonly ok: true;
  readonly schema_version: "loopx_bootstrap_command_pack_v0";
  readonly read_only: boolean;
  readonly slash_command: "/loopx" | "/loopx <goal text>";
  readonly slash_forms: readonly ["/loopx", "/loopx <goal text>"];
  readonly canonical_cli_command: string;
  readonly project_root_label?: string;
  /** The registered source of a linked worktree, when the lookup followed it there. */
  readonly followed_worktree_to_label?: string;
  readonly connection: ProjectConnection;
  readonly goal_count: number;
  readonly goals: readonly {
    readonly goal_id: string;
    readonly objective: string;
    readonly status: GoalFact["status"];
  }[];
  readonly identity: {
    readonly state: IdentityDecision["state"];
    readonly activation_allowed: boolean;
    readonly registered_agent_count: number;
    readonly agent_id?: string;
    readonly thread_id?: string;
  };
  readonly project_gate?: ProjectGate;
  readonly recommended_next_step: {
    readonly kind: NextStepKind;
    readonly requires_user_confirmation: boolean;
    readonly command?: string;
    readonly help?: string;
  };
  readonly safety_contract: SafetyContract;
}
