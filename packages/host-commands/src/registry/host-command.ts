/** The contract that a host command is answered under. */
export type HostProtocol = "loopx_goal_command_v0" | "global_manager_command_v0" | "pr_review_command_v0";

/** What a host command may change by itself. */
export type MutationPolicy = "read_first" | "explicit_goal_start" | "read_only" | "must_run_cli_first";

/** One slash command of seed 003, as hosts register it. */
export interface HostCommand {
  /** The token at the start of a message, with the canonical prefix. */
  readonly token: string;
  /** What registries and people see: the token, and what may follow it. */
  readonly command: string;
  readonly kind: string;
  readonly protocol: HostProtocol;
  readonly mutationPolicy: MutationPolicy;
  /** The words of the CLI command that stands behind it. */
  readonly target: string;
  /** That command as the seed writes it, with a placeholder for the text. */
  readonly cliBaseline: string;
  readonly scope: "project" | "global" | "repository";
  /** A few words for the person who picks one. */
  readonly intent: string;
  /** What whoever gets the handoff does next. */
  readonly nextStep: string;
  /** Accepted for older callers, canonicalised at once and never shown (seed 003). */
  readonly legacyToken?: string;
}

/** Bare `/loopx`. */
export const STATUS_COMMAND = {
  token: "/loopx",
  command: "/loopx",
  kind: "project_bootstrap_preview",
  protocol: "loopx_goal_command_v0",
  mutationPolicy: "read_first",
  target: "bootstrap-command-pack",
  cliBaseline: "loopx bootstrap-command-pack --project .",
  scope: "project",
  intent: "show how this project stands and what comes next",
  nextStep: "run_command_pack_preview_then_stop_before_writes",
} as const satisfies HostCommand;

/** `/loopx` with a text behind it. */
export const START_COMMAND = {
  token: "/loopx",
  command: "/loopx <goal text>",
  kind: "project_task_start",
  protocol: "loopx_goal_command_v0",
  mutationPolicy: "explicit_goal_start",
  target: "start-goal",
  cliBaseline: 'loopx start-goal --guided --project . --goal-text "<goal text>"',
  scope: "project",
  intent: "start this task: plan, write todos, work turn by turn",
  nextStep: "run_guided_start_preview_then_plan_before_todo_write",
} as const satisfies HostCommand;

/** The commands that read across every project of this machine. */
const GLOBAL_COMMANDS = [
  defineGlobal("summary", "one digest of all goals on this machine"),
  defineGlobal("gates", "the questions that wait for a decision"),
  defineGlobal("todos", "the work that is open, in order"),
  defineGlobal("risks", "what is stale, failing or exposed"),
] as const;

/** The review queue of one repository. */
const PR_REVIEW_COMMAND = {
  token: "/loopx-pr-review",
  command: "/loopx-pr-review",
  kind: "repo_pr_review",
  protocol: "pr_review_command_v0",
  mutationPolicy: "must_run_cli_first",
  target: "pr-review",
  cliBaseline: "loopx pr-review",
  scope: "repository",
  intent: "review the open pull requests of this repository",
  nextStep: "run_pr_review_cli_before_any_answer",
} as const satisfies HostCommand;

/** The seven commands, in the order in which they are shown. */
export const HOST_COMMANDS: readonly HostCommand[] = [
  STATUS_COMMAND,
  START_COMMAND,
  ...GLOBAL_COMMANDS,
  PR_REVIEW_COMMAND,
];

function defineGlobal(view: string, intent: string): HostCommand {
  return {
    token: `/loopx-global-${view}`,
    command: `/loopx-global-${view}`,
    kind: `global_manager_${view}`,
    protocol: "global_manager_command_v0",
    mutationPolicy: "read_only",
    target: `global-${view}`,
    cliBaseline: `loopx global-${view}`,
    scope: "global",
    intent,
    nextStep: "run_read_only_command_then_answer_from_it",
    legacyToken: `/loop-global-${view}`,
  };
}
