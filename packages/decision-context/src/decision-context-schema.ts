import type { Migration } from "@loopx/store";

/**
 * What decision context keeps in a project's store: cursors, and the reviews that were prepared, with the public packets they
 * rest on. Both are of this machine's sources and are left out of exports.
 */
export const DECISION_CONTEXT_MIGRATION: Migration = {
  number: 5,
  name: "decision_context",
  sql: `
CREATE TABLE decision_cursors (
  goal_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  cursor TEXT NOT NULL,
  PRIMARY KEY (goal_id, source_id)
);
CREATE TABLE prepared_reviews (
  goal_id TEXT NOT NULL,
  checkpoint_ref TEXT NOT NULL,
  decision_id TEXT NOT NULL,
  ordinal BIGINT NOT NULL,
  profile_digest TEXT NOT NULL,
  assembly TEXT NOT NULL,
  proposal TEXT,
  proposed_cursors TEXT NOT NULL,
  expected_cursors TEXT NOT NULL,
  outcome TEXT,
  PRIMARY KEY (goal_id, checkpoint_ref)
);
CREATE INDEX prepared_reviews_of_decision ON prepared_reviews (goal_id, decision_id, ordinal)`,
  digest: "sha256:32831dd0dcafdf64a011af2398d50f6c9fea17a1146267df0d619cdb36035ff1",
};

/** The tables of this part, for whoever replaces a store's whole state. */
export const DECISION_CONTEXT_TABLES = ["decision_cursors", "prepared_reviews"] as const;
