const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Every number the product promises, in one place. The section of the design that fixes it stands beside each group. */
export const LIMITS = {
  // §4 Text
  taskTextMaxBytes: 16_384,
  todoTextMaxCodePoints: 4000,
  /** Graphemes of a todo text that a list or packet shows before `text_truncated`. */
  todoTextShown: 240,

  // §5 Identity: longer ids are refused
  idMaxLength: 128,

  // §5 Claims and turns
  leaseDefaultMs: 45 * MINUTE_MS,
  leaseMinMs: MINUTE_MS,
  leaseMaxMs: DAY_MS,
  /** Unsettled turns in a row that make the decision `repair`, code `turns_unsettled`. */
  unsettledTurnsBeforeRepair: 3,
  /** Fruitless `replan` turns in a row that make the decision `ask_user`. */
  fruitlessReplansBeforeAskUser: 3,

  // §4 A project: a backup older than this is renewed by connect, migration and goal completion
  backupMaxAgeMs: DAY_MS,

  // §9 Budgets: minified JSON bytes, the caller's own required text left out
  packetMaxBytes: {
    should_run: 2048,
    gate: 2048,
    start_goal: 4096,
    handoff: 3072,
    todo_change: 1024,
    status_page: 4096,
    agent_onboard: 4096,
    global_page: 6144,
    pr_review_index: 10_240,
    pr_review_one: 8192,
  },
} as const;
