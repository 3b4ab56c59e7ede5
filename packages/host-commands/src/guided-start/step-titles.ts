/** What each step of a start is called for people; its id is for programs. */
const STEP_TITLES: Readonly<Record<string, string>> = {
  inspect_connection: "Look at the project",
  connect_if_needed: "Connect the project and create the goal",
  register_agent: "Register the agent",
  bind_thread_identity: "Bind this thread to the agent",
  plan_ranked_todos: "Plan the todos",
  write_ordered_todos: "Write each todo, the most important first",
  refresh_state: "Bring the state up to date",
  activate_host_loop: "Set up the loop",
  quota_guard: "Ask for the first turn",
};

/** The title of a step, for people. */
export function titleOf(stepId: string): string {
  return STEP_TITLES[stepId] ?? stepId.replaceAll("_", " ");
}
