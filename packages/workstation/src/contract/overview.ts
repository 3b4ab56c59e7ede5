import type { Page } from "./page.ts";

/** Where the overview shows an open goal: each is in exactly one lane. */
export type GoalLane = "needs_you" | "in_progress" | "watching" | "held";

/** What a person or an agent can do next without risk. */
export interface SafeAction {
  /** A few words, such as `Answer the gate`. */
  readonly label: string;
  /** The command that does it, for a terminal. */
  readonly command: string;
  /** The gate or todo it is about; the page links to it. */
  readonly todo_id?: string;
}

export interface GoalRow {
  readonly goal_id: string;
  readonly project_id: string;
  readonly project_label: string;
  readonly objective: string;
  readonly status: "active" | "paused";
  readonly lane: GoalLane;
  /** One sentence. */
  readonly why: string;
  readonly next: SafeAction;
  readonly agent_count: number;
  readonly runnable_count: number;
  readonly blocked_count: number;
  readonly claimed_count: number;
  readonly undecided_gate_count: number;
}

/** A question or an action that waits for a person. */
export interface AskRow {
  readonly todo_id: string;
  readonly goal_id: string;
  readonly project_id: string;
  readonly project_label: string;
  /** The kind of the gate, or `user_action`. */
  readonly kind: string;
  readonly priority: string;
  readonly question: string;
  /** One sentence: what waits for the answer. */
  readonly why: string;
  readonly next: SafeAction;
}

export interface DoneRow {
  readonly goal_id: string;
  readonly project_id: string;
  readonly at: string;
  readonly type: string;
  readonly todo_id: string | null;
  readonly title: string | null;
}

export interface FailedRow {
  readonly goal_id: string;
  readonly project_id: string;
  readonly kind: string;
  readonly todo_id: string | null;
  readonly at: string | null;
  readonly label: string | null;
}

/** `GET /api/overview?since=TIME` */
export interface Overview {
  readonly at: string;
  readonly project_count: number;
  readonly open_goal_count: number;
  readonly closed_goal_count: number;
  readonly lanes: Readonly<Record<GoalLane, number>>;
  readonly ask_count: number;
  readonly since: {
    readonly since: string;
    readonly done_count: number;
    readonly done: readonly DoneRow[];
    readonly failed_count: number;
    readonly failed: readonly FailedRow[];
  };
  /** The first page; further ones: `GET /api/overview/asks?cursor=`. */
  readonly asks: Page<AskRow>;
  /** The first page; further ones: `GET /api/overview/goals?cursor=`. */
  readonly goals: Page<GoalRow>;
  /** Projects that could not be read: the counts are lower bounds. */
  readonly unread: readonly { readonly project_label: string; readonly code: string; readonly command: string }[];
  /** What connects the first project; null where there is one. */
  readonly connect_command: string | null;
}
