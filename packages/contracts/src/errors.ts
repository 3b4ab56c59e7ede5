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
  usage: { category: "usage", exit: 2, http: 400, retry: false },
  unknown_command: { category: "usage", exit: 2, http: 404, retry: false },
  unknown_route: { category: "usage", exit: 2, http: 404, retry: false },
  unknown_flag: { category: "usage", exit: 2, http: 400, retry: false },
  missing_flag: { category: "usage", exit: 2, http: 400, retry: false },
  invalid_value: { category: "usage", exit: 2, http: 400, retry: false },
  invalid_id: { category: "usage", exit: 2, http: 400, retry: false },
  text_not_storable: { category: "usage", exit: 2, http: 400, retry: false },
  text_too_long: { category: "usage", exit: 2, http: 413, retry: false },
  credential_refused: { category: "usage", exit: 2, http: 400, retry: false },
  project_invalid: { category: "usage", exit: 2, http: 422, retry: false },
  binding_invalid: { category: "usage", exit: 2, http: 422, retry: false },
  manifest_invalid: { category: "usage", exit: 2, http: 422, retry: false },
  // authority
  gate_needs_owner: { category: "authority", exit: 3, http: 403, retry: false },
  binding_not_verified: { category: "authority", exit: 3, http: 403, retry: false },
  thread_agent_binding_conflict: { category: "authority", exit: 3, http: 409, retry: false },
  thread_agent_binding_agent_mismatch: { category: "authority", exit: 3, http: 409, retry: false },
  thread_agent_binding_ambiguous: { category: "authority", exit: 3, http: 409, retry: false },
  thread_agent_binding_invalid_request: { category: "usage", exit: 2, http: 400, retry: false },
  agent_identity_already_registered: { category: "authority", exit: 3, http: 409, retry: false },
  unauthorised: { category: "authority", exit: 3, http: 401, retry: false },
  project_not_trusted: { category: "authority", exit: 3, http: 403, retry: false },
  check_not_allowed: { category: "authority", exit: 3, http: 403, retry: false },
  // state
  unknown_goal: { category: "not_found", exit: 4, http: 404, retry: false },
  unknown_agent: { category: "not_found", exit: 4, http: 404, retry: false },
  unknown_todo: { category: "not_found", exit: 4, http: 404, retry: false },
  unknown_turn: { category: "not_found", exit: 4, http: 404, retry: false },
  unknown_gate: { category: "not_found", exit: 4, http: 404, retry: false },
  unknown_trace: { category: "not_found", exit: 4, http: 404, retry: false },
  unknown_decision: { category: "not_found", exit: 4, http: 404, retry: false },
  history_compacted: { category: "not_found", exit: 4, http: 410, retry: false },
  context_not_attached: { category: "not_found", exit: 4, http: 404, retry: false },
  unknown_repository: { category: "not_found", exit: 4, http: 404, retry: false },
  unknown_pull_request: { category: "not_found", exit: 4, http: 404, retry: false },
  unknown_token: { category: "not_found", exit: 4, http: 404, retry: false },
  unknown_setting: { category: "not_found", exit: 4, http: 404, retry: false },
  project_not_resolved: { category: "not_found", exit: 4, http: 404, retry: false },
  project_not_connected: { category: "not_found", exit: 4, http: 404, retry: false },
  goal_selection_required: { category: "refused", exit: 1, http: 409, retry: false },
  goal_id_taken: { category: "refused", exit: 1, http: 409, retry: false },
  goal_not_active: { category: "refused", exit: 1, http: 409, retry: false },
  goal_has_open_work: { category: "refused", exit: 1, http: 409, retry: false },
  goal_revision_conflict: { category: "refused", exit: 1, http: 409, retry: false },
  project_id_conflict: { category: "refused", exit: 1, http: 409, retry: false },
  todo_claimed_by_other: { category: "refused", exit: 1, http: 409, retry: true },
  todo_not_open: { category: "refused", exit: 1, http: 409, retry: false },
  todo_not_runnable: { category: "refused", exit: 1, http: 409, retry: false },
  todo_is_gate: { category: "refused", exit: 1, http: 409, retry: false },
  todo_differs: { category: "refused", exit: 1, http: 409, retry: false },
  todo_changed: { category: "refused", exit: 1, http: 409, retry: true },
  dependency_cycle: { category: "refused", exit: 1, http: 409, retry: false },
  evidence_already_recorded: { category: "refused", exit: 1, http: 409, retry: false },
  evidence_required: { category: "refused", exit: 1, http: 409, retry: false },
  validation_failed: { category: "refused", exit: 1, http: 409, retry: false },
  gate_already_decided: { category: "refused", exit: 1, http: 409, retry: false },
  keyset_changed: { category: "refused", exit: 1, http: 409, retry: true },
  review_open: { category: "refused", exit: 1, http: 409, retry: false },
  review_settled: { category: "refused", exit: 1, http: 409, retry: false },
  evidence_outdated: { category: "refused", exit: 1, http: 409, retry: false },
  turn_not_held: { category: "refused", exit: 1, http: 409, retry: false },
  turn_already_settled: { category: "refused", exit: 1, http: 409, retry: false },
  lease_lost: { category: "refused", exit: 1, http: 409, retry: false },
  budget_below_spent: { category: "refused", exit: 1, http: 409, retry: false },
  unknown_extension: { category: "not_found", exit: 4, http: 404, retry: false },
  extension_changed: { category: "refused", exit: 1, http: 409, retry: true },
  extension_not_ready: { category: "refused", exit: 1, http: 409, retry: false },
  extension_state_conflict: { category: "refused", exit: 1, http: 409, retry: false },
  // store
  store_read_only: { category: "store", exit: 5, http: 503, retry: false },
  home_not_writable: { category: "store", exit: 5, http: 503, retry: false },
  store_needs_recovery: { category: "store", exit: 5, http: 503, retry: false },
  store_needs_migration: { category: "store", exit: 5, http: 503, retry: false },
  store_newer_schema: { category: "store", exit: 5, http: 503, retry: false },
  store_corrupt: { category: "store", exit: 5, http: 503, retry: false },
  store_moved: { category: "store", exit: 5, http: 409, retry: false },
  store_missing: { category: "store", exit: 5, http: 503, retry: false },
  store_full: { category: "store", exit: 5, http: 507, retry: false },
  store_busy: { category: "store", exit: 5, http: 503, retry: true },
  store_failed: { category: "store", exit: 5, http: 503, retry: false },
  store_unreachable: { category: "store", exit: 5, http: 503, retry: true },
  store_access_denied: { category: "store", exit: 5, http: 503, retry: false },
  sqlite_unavailable: { category: "store", exit: 5, http: 503, retry: false },
  foreign_registry: { category: "store", exit: 5, http: 409, retry: false },
  build_corrupt: { category: "store", exit: 5, http: 503, retry: false },
  import_invalid: { category: "store", exit: 5, http: 422, retry: false },
  // environment
  file_not_readable: { category: "environment", exit: 6, http: 422, retry: false },
  file_not_writable: { category: "environment", exit: 6, http: 422, retry: false },
  secret_unavailable: { category: "environment", exit: 6, http: 503, retry: false },
  home_missing: { category: "environment", exit: 6, http: 500, retry: false },
  gh_missing: { category: "environment", exit: 6, http: 503, retry: false },
  gh_not_logged_in: { category: "environment", exit: 6, http: 503, retry: false },
  gh_timeout: { category: "environment", exit: 6, http: 504, retry: true },
  gh_rate_limited: { category: "environment", exit: 6, http: 429, retry: true },
  gh_output_invalid: { category: "environment", exit: 6, http: 502, retry: true },
  gh_failed: { category: "environment", exit: 6, http: 502, retry: false },
  context_not_usable: { category: "environment", exit: 6, http: 503, retry: false },
  runtime_not_ready: { category: "environment", exit: 6, http: 503, retry: true },
  interrupted: { category: "environment", exit: 130, http: 503, retry: true },
  internal: { category: "internal", exit: 70, http: 500, retry: false },
} as const satisfies Record<string, ErrorEntry>;

interface ErrorEntry {
  readonly category: "usage" | "authority" | "not_found" | "refused" | "store" | "environment" | "internal";
  readonly exit: number;
  readonly http: number;
  readonly retry: boolean;
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
