import type { ActivationCommands, ActivationContract } from "../activation/activation-contract.ts";
import type { CallerFacts, ProjectConnection, ProjectFacts } from "../guided-start/guided-start-facts.ts";
import type { HostSurface } from "../surfaces/surface.ts";

/** Everything `agent-onboard --agent-type` knows. */
export interface OnboardingFacts extends ProjectFacts, CallerFacts {
  readonly hostSurface: HostSurface;
  readonly proposedGoalId: string;
  /** `--loop-driver`: what wakes an agent whose host has no loop of its own. */
  readonly loopDriver: string | undefined;
}

/** What has to come before the loop of a lane can be set up. */
export type OnboardingBlocker =
  | "project_setup"
  | "project_not_connected"
  | "goal_selection"
  | "agent_registration"
  | "agent_identity_selection"
  | "thread_binding"
  | "loop_driver";

/** One step, or several of which one is taken. */
export type OnboardingStep = string | readonly string[];

/** How an agent of one type takes part: the contract of its surface, and its lane's commands or what comes before them. */
export interface OnboardingPacket {
  readonly ok: true;
  readonly schema_version: "loopx_agent_onboarding_v0";
  readonly agent_type: string;
  readonly host_surface: HostSurface;
  readonly project_root_label?: string;
  readonly connection: ProjectConnection;
  /** People are shown it as the active state id (seed 003). */
  readonly goal_id?: string;
  readonly agent_id?: string;
  readonly thread_id?: string;
  readonly host_loop_activation: ActivationContract;
  readonly activation?: ActivationCommands;
  readonly blocked_by?: OnboardingBlocker;
  readonly reason?: string;
  readonly next: readonly OnboardingStep[];
}
