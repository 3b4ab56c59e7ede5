import type { Effect } from "./guided-start-facts.ts";
import type { GuidedStep } from "./ordered-steps.ts";

/** What running the command that printed this packet did, and whether the packet shows commands that would write. */
export interface SafetyContract {
  readonly writes_registry: boolean;
  readonly writes_state_file: boolean;
  readonly creates_heartbeat: boolean;
  readonly spends_quota: boolean;
  readonly mutation_commands_are_previewed: boolean;
}

/** Computed from what the caller recorded and from the steps themselves; no claim here is a constant. */
export function describeSafety(performed: readonly Effect[], steps: readonly GuidedStep[]): SafetyContract {
  return {
    writes_registry: performed.includes("registry_write"),
    writes_state_file: performed.includes("state_write"),
    creates_heartbeat: performed.includes("heartbeat"),
    spends_quota: performed.includes("quota_spend"),
    mutation_commands_are_previewed: steps.some((step) => WRITING_KINDS.has(step.kind)),
  };
}

const WRITING_KINDS: ReadonlySet<GuidedStep["kind"]> = new Set([
  "conditional_mutation",
  "identity_mutation",
  "operator_or_agent_actions",
  "state_sync",
]);
