/** A slash command of seed 003 as far as a prompt needs it. */
export interface SlashCommand {
  /** What a person types. */
  readonly token: string;
  /** The token, and what may follow it. */
  readonly command: string;
  /** The words of the CLI command that stands behind it. */
  readonly target: string;
  readonly mutationPolicy: "read_first" | "explicit_goal_start" | "read_only" | "must_run_cli_first";
  readonly intent: string;
  /** What whoever gets the prompt does next. */
  readonly nextStep: string;
}

/** The seven commands, in the order in which they are shown. */
export const SLASH_COMMANDS: readonly SlashCommand[] = [
  {
    token: "/loopx",
    command: "/loopx",
    target: "bootstrap-command-pack",
    mutationPolicy: "read_first",
    intent: "show how this project stands and what comes next",
    nextStep: "run_command_pack_preview_then_stop_before_writes",
  },
  {
    token: "/loopx",
    command: "/loopx <goal text>",
    target: "start-goal",
    mutationPolicy: "explicit_goal_start",
    intent: "start this task: plan, write todos, work turn by turn",
    nextStep: "run_guided_start_preview_then_plan_before_todo_write",
  },
  defineGlobal("summary", "one digest of all goals on this machine"),
  defineGlobal("gates", "the questions that wait for a decision"),
  defineGlobal("todos", "the work that is open, in order"),
  defineGlobal("risks", "what is stale, failing or exposed"),
  {
    token: "/loopx-pr-review",
    command: "/loopx-pr-review",
    target: "pr-review",
    mutationPolicy: "must_run_cli_first",
    intent: "review the open pull requests of this repository",
    nextStep: "run_pr_review_cli_before_any_answer",
  },
];

function defineGlobal(view: string, intent: string): SlashCommand {
  return {
    token: `/loopx-global-${view}`,
    command: `/loopx-global-${view}`,
    target: `global-${view}`,
    mutationPolicy: "read_only",
    intent,
    nextStep: "run_read_only_command_then_answer_from_it",
  };
}
