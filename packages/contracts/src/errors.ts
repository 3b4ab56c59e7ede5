/**
 * The closed table of everything that can go wrong in front of a user.
 *
 * `exit` is the process exit code: 1 refused or failed, 2 usage, 3 gate or authority, 4 not found, 5 store, 6 environment.
 * `retry` says whether the same call may succeed later without anybody changing anything.
 */
// One row per code:
// prettier-ignore
export const ERROR_TABLE = {
  // usage
  usage: { category: "usage", exit: 2, http: 400, retry: false, means: "the command line or request is malformed" },
  unknown_command: { category: "usage", exit: 2, http: 404, retry: false, means: "no command has these words" },
  unknown_route: { category: "usage", exit: 2, http: 404, retry: false, means: "the server has no such route" },
  unknown_flag: { category: "usage", exit: 2, http: 400, retry: false, means: "the command has no such flag" },
  missing_flag: { category: "usage", exit: 2, http: 400, retry: false, means: "a required flag was not given" },
  invalid_value: { category: "usage", exit: 2, http: 400, retry: false, means: "a value is outside what the field takes" },
  invalid_id: { category: "usage", exit: 2, http: 400, retry: false, means: "an id is empty, a placeholder or malformed" },
  text_not_storable: { category: "usage", exit: 2, http: 400, retry: false, means: "text holds NUL or ill-formed Unicode" },
  text_too_long: { category: "usage", exit: 2, http: 413, retry: false, means: "text is over its limit" },
  credential_refused: { category: "usage", exit: 2, http: 400, retry: false, means: "text holds a credential; nothing was stored" },
  project_invalid: { category: "usage", exit: 2, http: 422, retry: false, means: "the Context Project or one of its files breaks a rule" },
  binding_invalid: { category: "usage", exit: 2, http: 422, retry: false, means: "the Deployment Binding breaks a rule" },
  manifest_invalid: { category: "usage", exit: 2, http: 422, retry: false, means: "an extension's manifest breaks a rule" },
  // authority
  gate_needs_owner: { category: "authority", exit: 3, http: 403, retry: false, means: "only an owner may decide or loosen this" },
  binding_not_verified: { category: "authority", exit: 3, http: 403, retry: false, means: "the thread's verified binding does not name this agent" },
  thread_agent_binding_conflict: { category: "authority", exit: 3, http: 409, retry: false, means: "the thread is bound to another agent" },
  thread_agent_binding_agent_mismatch: { category: "authority", exit: 3, http: 409, retry: false, means: "the thread is bound to an agent other than the one named" },
  thread_agent_binding_ambiguous: { category: "authority", exit: 3, http: 409, retry: false, means: "the thread is bound to more than one goal or agent" },
  thread_agent_binding_invalid_request: { category: "usage", exit: 2, http: 400, retry: false, means: "the thread link, thread id or host surface is malformed" },
  agent_identity_already_registered: { category: "authority", exit: 3, http: 409, retry: false, means: "the lane id is already registered in this goal" },
  unauthorised: { category: "authority", exit: 3, http: 401, retry: false, means: "the request carries no valid bearer token" },
  project_not_trusted: { category: "authority", exit: 3, http: 403, retry: false, means: "the store was not created on this machine and no owner connected it" },
  check_not_allowed: { category: "authority", exit: 3, http: 403, retry: false, means: "a todo's validation command may not be started from here" },
  // state
  unknown_goal: { category: "not_found", exit: 4, http: 404, retry: false, means: "no goal has this id here" },
  unknown_agent: { category: "not_found", exit: 4, http: 404, retry: false, means: "the agent is not registered in the goal" },
  unknown_todo: { category: "not_found", exit: 4, http: 404, retry: false, means: "no todo has this id in the goal" },
  unknown_turn: { category: "not_found", exit: 4, http: 404, retry: false, means: "no turn has this id in the goal" },
  unknown_gate: { category: "not_found", exit: 4, http: 404, retry: false, means: "no gate has this id in the goal" },
  unknown_trace: { category: "not_found", exit: 4, http: 404, retry: false, means: "no trace has this id" },
  unknown_decision: { category: "not_found", exit: 4, http: 404, retry: false, means: "no review was prepared for a decision of this id" },
  unknown_repository: { category: "not_found", exit: 4, http: 404, retry: false, means: "gh finds no GitHub repository of this name, or none here" },
  unknown_pull_request: { category: "not_found", exit: 4, http: 404, retry: false, means: "the repository has no pull request of this number" },
  unknown_token: { category: "not_found", exit: 4, http: 404, retry: false, means: "no owner token has this id" },
  unknown_setting: { category: "not_found", exit: 4, http: 404, retry: false, means: "no setting has this name" },
  project_not_resolved: { category: "not_found", exit: 4, http: 404, retry: false, means: "no project root could be resolved from here" },
  project_not_connected: { category: "not_found", exit: 4, http: 404, retry: false, means: "the project has no LoopX store yet" },
  goal_selection_required: { category: "refused", exit: 1, http: 409, retry: false, means: "several goals exist and none was named" },
  goal_id_taken: { category: "refused", exit: 1, http: 409, retry: false, means: "another project on this machine has a goal with this id" },
  goal_not_active: { category: "refused", exit: 1, http: 409, retry: false, means: "the goal is paused, completed or stopped" },
  goal_has_open_work: { category: "refused", exit: 1, http: 409, retry: false, means: "the goal still has open work" },
  goal_revision_conflict: { category: "refused", exit: 1, http: 409, retry: false, means: "the goal has changed since the revision named" },
  project_id_conflict: { category: "refused", exit: 1, http: 409, retry: false, means: "two roots on this machine hold one project id" },
  todo_claimed_by_other: { category: "refused", exit: 1, http: 409, retry: true, means: "another agent holds the claim" },
  todo_not_open: { category: "refused", exit: 1, http: 409, retry: false, means: "the todo is not open" },
  todo_not_runnable: { category: "refused", exit: 1, http: 409, retry: false, means: "a gate, dependency or condition holds the todo back" },
  todo_is_gate: { category: "refused", exit: 1, http: 409, retry: false, means: "a gate is decided, not completed" },
  todo_differs: { category: "refused", exit: 1, http: 409, retry: false, means: "an open todo has this text and another class, gate, check or dependency" },
  todo_changed: { category: "refused", exit: 1, http: 409, retry: true, means: "the todo changed while the validation command ran" },
  dependency_cycle: { category: "refused", exit: 1, http: 409, retry: false, means: "the dependency would close a cycle" },
  evidence_already_recorded: { category: "refused", exit: 1, http: 409, retry: false, means: "the turn has other evidence already; the new one was not recorded" },
  evidence_required: { category: "refused", exit: 1, http: 409, retry: false, means: "completion or spending needs recorded evidence" },
  validation_failed: { category: "refused", exit: 1, http: 409, retry: false, means: "the todo's validation command failed" },
  gate_already_decided: { category: "refused", exit: 1, http: 409, retry: false, means: "the gate was decided otherwise before" },
  review_open: { category: "refused", exit: 1, http: 409, retry: false, means: "the decision's review is not decided or not settled yet" },
  review_settled: { category: "refused", exit: 1, http: 409, retry: false, means: "the checkpoint was settled with another receipt" },
  evidence_outdated: { category: "refused", exit: 1, http: 409, retry: false, means: "the evidence is incomplete, or its profile or a cursor changed since" },
  turn_not_held: { category: "refused", exit: 1, http: 409, retry: false, means: "the turn is held by another thread or was released" },
  turn_already_settled: { category: "refused", exit: 1, http: 409, retry: false, means: "the turn is settled; it takes no more evidence" },
  lease_lost: { category: "refused", exit: 1, http: 409, retry: false, means: "the lease ended and the todo's epoch moved on" },
  budget_below_spent: { category: "refused", exit: 1, http: 409, retry: false, means: "the budget would be below what is already used" },
  unknown_extension: { category: "not_found", exit: 4, http: 404, retry: false, means: "no extension of this id is installed, or none ships with LoopX" },
  extension_changed: { category: "refused", exit: 1, http: 409, retry: true, means: "the extension changed while the command ran" },
  extension_not_ready: { category: "refused", exit: 1, http: 409, retry: false, means: "the extension's doctor did not verify its program" },
  extension_state_conflict: { category: "refused", exit: 1, http: 409, retry: false, means: "the extension is not in a state in which this can be done" },
  // store
  store_read_only: { category: "store", exit: 5, http: 503, retry: false, means: "the store can be read but not written" },
  home_not_writable: { category: "store", exit: 5, http: 503, retry: false, means: "the LoopX home cannot be written; nothing was stored" },
  store_needs_recovery: { category: "store", exit: 5, http: 503, retry: false, means: "an interrupted write must be rolled back by a writer first" },
  store_needs_migration: { category: "store", exit: 5, http: 503, retry: false, means: "the store has an older schema and is read-only here" },
  store_newer_schema: { category: "store", exit: 5, http: 503, retry: false, means: "the store was written by a newer LoopX" },
  store_corrupt: { category: "store", exit: 5, http: 503, retry: false, means: "the store is truncated, damaged or not a database" },
  store_missing: { category: "store", exit: 5, http: 503, retry: false, means: "the project is registered but its store is gone" },
  store_full: { category: "store", exit: 5, http: 507, retry: false, means: "the disk is full; the write was undone" },
  store_busy: { category: "store", exit: 5, http: 503, retry: true, means: "another process kept the store locked past the wait" },
  store_failed: { category: "store", exit: 5, http: 503, retry: false, means: "the store could not carry out the operation" },
  sqlite_unavailable: { category: "store", exit: 5, http: 503, retry: false, means: "no SQLite driver could be loaded" },
  foreign_registry: { category: "store", exit: 5, http: 409, retry: false, means: "registry.global.json belongs to another program" },
  build_corrupt: { category: "store", exit: 5, http: 503, retry: false, means: "a build's content does not match its digests" },
  import_invalid: { category: "store", exit: 5, http: 422, retry: false, means: "the file to import is truncated, damaged or not ours" },
  // environment
  file_not_readable: { category: "environment", exit: 6, http: 422, retry: false, means: "a named file cannot be read" },
  file_not_writable: { category: "environment", exit: 6, http: 422, retry: false, means: "a named file cannot be written" },
  secret_unavailable: { category: "environment", exit: 6, http: 503, retry: false, means: "a referenced secret is not there or not kept safely" },
  home_missing: { category: "environment", exit: 6, http: 500, retry: false, means: "neither HOME nor LOOPX_HOME names a directory" },
  gh_missing: { category: "environment", exit: 6, http: 503, retry: false, means: "GitHub's command line, gh, cannot be started" },
  gh_not_logged_in: { category: "environment", exit: 6, http: 503, retry: false, means: "gh has no login for GitHub" },
  gh_timeout: { category: "environment", exit: 6, http: 504, retry: true, means: "gh did not answer in time" },
  gh_rate_limited: { category: "environment", exit: 6, http: 429, retry: true, means: "GitHub answers no more requests of this login for now" },
  gh_output_invalid: { category: "environment", exit: 6, http: 502, retry: true, means: "what gh wrote is cut off or not what it promises" },
  gh_failed: { category: "environment", exit: 6, http: 502, retry: false, means: "gh could not carry out the request" },
  runtime_not_ready: { category: "environment", exit: 6, http: 503, retry: true, means: "the context runtime is starting, draining or waiting for a provider" },
  interrupted: { category: "environment", exit: 130, http: 503, retry: true, means: "the command was interrupted before it committed" },
  internal: { category: "internal", exit: 70, http: 500, retry: false, means: "a fault in LoopX itself" },
} as const satisfies Record<string, ErrorEntry>;

interface ErrorEntry {
  readonly category: "usage" | "authority" | "not_found" | "refused" | "store" | "environment" | "internal";
  readonly exit: number;
  readonly http: number;
  readonly retry: boolean;
  readonly means: string;
}

export type ErrorCode = keyof typeof ERROR_TABLE;

/** What a failure tells its reader besides the code. Values are wire-safe: no absolute path, no secret. */
export interface ErrorParts {
  /** One sentence: what happened, to which field or thing. */
  readonly message: string;
  /** What to do next, a command where one exists. */
  readonly hint?: string;
  /** Machine-readable facts, snake_case keys. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** An expected refusal as a value: a rule said no. `decide…` functions return it, borders render it. */
export interface Refusal extends Omit<ErrorParts, "cause"> {
  readonly ok: false;
  readonly code: ErrorCode;
}

/** Builds a refusal value. */
export function refuse(code: ErrorCode, parts: Omit<ErrorParts, "cause">): Refusal {
  return { ok: false, code, ...parts };
}
