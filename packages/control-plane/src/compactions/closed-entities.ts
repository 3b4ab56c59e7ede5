/** Kinds of entities that come to an end after which no command changes their row: the row is then their last image. */
export const CLOSED_KINDS = ["todo", "turn", "evidence"] as const;
export type ClosedKind = (typeof CLOSED_KINDS)[number];

/** The condition on a row of the kind's table, there under the name `closed`. A gate can be taken up again, so it never is. */
export const IS_CLOSED: Readonly<Record<ClosedKind, string>> = {
  todo: "closed.archived_at IS NOT NULL AND closed.task_class <> 'user_gate'",
  turn: "closed.state IN ('settled', 'released')",
  evidence: "TRUE",
};
