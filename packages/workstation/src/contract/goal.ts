import type { Page } from "./page.ts";

export type BoardColumn = "yours" | "claimed" | "open" | "blocked" | "deferred" | "done" | "superseded";

/** `GET /api/goals/:goalId?project=` */
export interface GoalAnswer {
  readonly at: string;
  /** The goal's last event. A write names it, so that nothing is decided on what somebody changed since. */
  readonly seq: number;
  readonly project_id: string;
  readonly project_label: string;
  readonly goal: {
    readonly goal_id: string;
    readonly objective: string;
    readonly status: "active" | "paused" | "completed" | "stopped";
    readonly revision: number;
    readonly reason: string | null;
    readonly budget_total_turns: number | null;
    readonly budget_window_turns: number | null;
    /** Such as `1d`. */
    readonly budget_window: string | null;
    readonly created_at: string;
  };
  readonly board: Readonly<Record<BoardColumn, number>>;
  readonly turns: {
    readonly used: number;
    readonly open: number;
    readonly used_in_window: number;
    /** The last 30 days, oldest first, each of them. */
    readonly days: readonly DayOfTurns[];
    readonly latest: readonly TurnRow[];
  };
  readonly gates: readonly GateRow[];
  /** How many gates still ask or hold; more than `gates` lists where there are many. */
  readonly gate_count: number;
  readonly agents: readonly AgentRow[];
}

export interface DayOfTurns {
  readonly day: string;
  /** Settled, and lapsed with evidence. */
  readonly charged: number;
  readonly open: number;
  /** Ended with nothing to show: never charged. */
  readonly released: number;
}

export interface TurnRow {
  readonly turn_id: string;
  readonly agent_id: string;
  /** `replan` for a turn of planning. */
  readonly todo_id: string;
  readonly state: "open" | "lapsed" | "settled" | "released";
  readonly opened_at: string;
  readonly closed_at: string | null;
  readonly lease_expires_at: string;
}

export interface GateRow {
  readonly gate_id: string;
  readonly kind: string;
  readonly priority: string;
  readonly question: string;
  /** `goal`, `agent:ID` or a todo, each; the first of them. */
  readonly blocks: readonly { readonly target: string; readonly title: string | null }[];
  readonly block_count: number;
  readonly decision: "approved" | "rejected" | "deferred" | null;
  readonly decided_by: string | null;
  readonly decided_at: string | null;
  readonly reason: string | null;
  readonly ask_again_at: string | null;
  /** Of an `objective_edit`: the text that approval puts in force. */
  readonly proposed_objective: string | null;
  readonly created_by: string;
  readonly created_at: string;
}

export interface AgentRow {
  readonly agent_id: string;
  readonly registered_at: string;
  /** What `quota should-run` would answer now, such as `run`, `wait`. */
  readonly state: string;
  readonly why: string;
  readonly open_turn: TurnRow | null;
  readonly threads: readonly {
    readonly host_surface: string;
    readonly thread_id: string;
    readonly is_verified: boolean;
    readonly bound_at: string;
  }[];
}

/** `GET /api/goals/:goalId/todos?column=&cursor=` gives a page of these. */
export interface TodoRow {
  readonly todo_id: string;
  readonly role: "agent" | "user";
  readonly task_class: string;
  readonly status: string;
  readonly priority: string;
  readonly text: string;
  readonly action_kind: string | null;
  readonly claimed_by: string | null;
  readonly claim_expires_at: string | null;
  /** Todos it waits for that are not done, and gates over it that nobody approved. */
  readonly blocked_by: readonly string[];
  readonly reason: string | null;
  readonly resume: string | null;
  readonly due_at: string | null;
  readonly evidence_count: number;
  readonly completed_at: string | null;
}

export type TodoPage = Page<TodoRow>;

/** `GET /api/goals/:goalId/todos/:todoId` */
export interface TodoAnswer {
  readonly at: string;
  readonly seq: number;
  readonly todo: TodoRow & {
    readonly note: string | null;
    readonly created_by: string;
    readonly created_at: string;
    readonly updated_at: string;
    readonly depends_on: readonly string[];
    readonly successor_todo_id: string | null;
    /** The check that must pass before it is completed, word by word. */
    readonly validation: readonly string[] | null;
  };
  readonly gate: GateRow | null;
  readonly evidence: readonly EvidenceRow[];
  readonly turns: readonly TurnRow[];
  readonly events: readonly EventRow[];
  /** When the event was up to which `loopx gc` removed others; null where it removed none. */
  readonly compacted_until: string | null;
}

export interface EvidenceRow {
  readonly evidence_id: string;
  readonly agent_id: string | null;
  readonly turn_id: string | null;
  readonly outcome: string;
  readonly text: string;
  readonly files: readonly { readonly path: string; readonly sha256: string; readonly bytes: number }[];
  readonly validation: {
    readonly status: string;
    readonly label: string | null;
    readonly exit_code: number | null;
    readonly output: string | null;
  } | null;
  readonly recorded_at: string;
}

/** `GET /api/goals/:goalId/events?cursor=` gives a page of these, newest first. */
export interface EventRow {
  readonly seq: number;
  readonly at: string;
  readonly type: string;
  /** What the type means, in words. */
  readonly says: string;
  /** `owner:workstation`, `agent:ID`, `process`. */
  readonly by: string;
  readonly entity: string;
  readonly entity_id: string;
  readonly title: string | null;
}

export type EventPage = Page<EventRow>;

/** `GET /api/goals/:goalId/at/:seq?cursor=`: as it was after one event. */
export interface GoalAt {
  readonly seq: number;
  /** When that event happened. */
  readonly at: string;
  /** The earliest event as of which the goal can be shown. */
  readonly first_seq: number;
  readonly last_seq: number;
  readonly objective: string | null;
  readonly status: string | null;
  readonly revision: number | null;
  readonly todos: Page<TodoAt>;
}

export interface TodoAt {
  readonly todo_id: string;
  readonly status: string;
  readonly priority: string;
  readonly text: string;
  readonly claimed_by: string | null;
  readonly decision: string | null;
  readonly as_of_seq: number;
}

/** `POST /api/goals/:goalId/gates/:gateId/decision` */
export interface GateDecisionRequest {
  readonly decision: "approve" | "reject" | "defer";
  readonly reason?: string;
  /** Of `defer`: a time or a duration such as `2h`. */
  readonly until?: string;
  /** `seq` of the answer that was looked at. */
  readonly seq: number;
  /** True says what would change and changes nothing. */
  readonly preview: boolean;
}

/** The packet of `loopx gate decide`. */
export interface GateDecisionReceipt {
  readonly ok: true;
  readonly goal_id: string;
  readonly dry_run?: true;
  readonly changed: boolean;
  readonly gate: {
    readonly gate_id: string;
    readonly decision?: string;
    readonly decided_by?: string;
    readonly reason?: string;
    readonly ask_again_at?: string;
  };
  readonly affected_todo_ids?: readonly string[];
  readonly affected_todo_count?: number;
  readonly goal_revision?: number;
}

/** `POST /api/goals/:goalId/status` */
export interface GoalStatusRequest {
  readonly action: "pause" | "resume";
  readonly reason?: string;
  readonly seq: number;
}

/** `POST /api/goals/:goalId/budget`: null lifts a limit, one that is left out stays. */
export interface GoalBudgetRequest {
  readonly total_turns?: number | null;
  readonly window_turns?: number | null;
  readonly window?: string;
  readonly seq: number;
}

/** The packet of `loopx goal pause`, `resume` and `budget`. */
export interface GoalChangeReceipt {
  readonly ok: true;
  readonly changed: boolean;
  readonly goal: { readonly goal_id: string; readonly status: string; readonly revision: number };
}
