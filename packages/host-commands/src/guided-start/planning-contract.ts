/** How todos are planned before the first one is written (seed 003, `loopx_goal_command_v0`). */
export interface PlanningContract {
  readonly rules: readonly string[];
}

export const PLANNING_CONTRACT: PlanningContract = {
  rules: [
    "An open direction gets 2 to 5 todos; a bounded problem as many as it needs, no filler.",
    "A todo is one checkable outcome; at least one is P0.",
    "Write them in rank order; existing todos stay as they are.",
    "What only the owner may decide is --role=user --task-class=user_gate. Work that is destructive_git, credentials, private_material, production or external_publication says so as --action-kind.",
  ],
};
