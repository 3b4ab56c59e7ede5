import type { Migration } from "@loopx/store";
import { fillGateTargets } from "./gates/gate-target-rows.ts";

/**
 * The tables of one project's store. Forward only: a shipped migration is never edited.
 *
 * Times are ISO-8601 UTC text of fixed width, structures are JSON text, booleans 0 or 1.
 */
export const PROJECT_MIGRATIONS: readonly Migration[] = [
  {
    number: 1,
    name: "control_plane",
    sql: `
CREATE TABLE project (
  project_id TEXT PRIMARY KEY,
  created_at TEXT NOT NULL
);
CREATE TABLE settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);
CREATE TABLE goals (
  goal_id TEXT PRIMARY KEY,
  objective TEXT NOT NULL,
  status TEXT NOT NULL,
  revision INTEGER NOT NULL,
  budget_total_turns INTEGER,
  budget_window_turns INTEGER,
  budget_window_ms BIGINT,
  reason TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE TABLE agents (
  goal_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  registered_at TEXT NOT NULL,
  PRIMARY KEY (goal_id, agent_id)
);
CREATE TABLE thread_bindings (
  goal_id TEXT NOT NULL,
  host_surface TEXT NOT NULL,
  thread_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  status TEXT NOT NULL,
  is_verified INTEGER NOT NULL,
  bound_at TEXT NOT NULL,
  PRIMARY KEY (goal_id, host_surface, thread_id)
);
CREATE INDEX thread_bindings_by_thread ON thread_bindings (thread_id);
CREATE TABLE todos (
  goal_id TEXT NOT NULL,
  todo_id TEXT NOT NULL,
  role TEXT NOT NULL,
  task_class TEXT NOT NULL,
  status TEXT NOT NULL,
  text TEXT NOT NULL,
  priority INTEGER NOT NULL,
  position BIGINT NOT NULL,
  action_kind TEXT,
  target_key TEXT,
  depends_on TEXT NOT NULL,
  resume TEXT,
  claimed_by TEXT,
  claim_epoch INTEGER NOT NULL,
  claim_expires_at TEXT,
  validation TEXT,
  cadence_ms BIGINT,
  due_at TEXT,
  note TEXT,
  reason TEXT,
  held_by TEXT,
  completion TEXT,
  successor_todo_id TEXT,
  gate TEXT,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  completed_at TEXT,
  archived_at TEXT,
  PRIMARY KEY (goal_id, todo_id)
);
CREATE INDEX todos_live ON todos (goal_id, priority, position) WHERE status IN ('open', 'blocked', 'deferred');
CREATE INDEX todos_in_order ON todos (goal_id, position);
CREATE INDEX todos_same_text ON todos (goal_id, role, substr(text, 1, 64)) WHERE status = 'open';
CREATE INDEX todos_gates ON todos (goal_id, status) WHERE task_class = 'user_gate';
CREATE TABLE todo_dependencies (
  goal_id TEXT NOT NULL,
  todo_id TEXT NOT NULL,
  depends_on_id TEXT NOT NULL,
  PRIMARY KEY (goal_id, todo_id, depends_on_id)
);
CREATE INDEX todo_dependents ON todo_dependencies (goal_id, depends_on_id);
CREATE TABLE turns (
  goal_id TEXT NOT NULL,
  turn_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  todo_id TEXT NOT NULL,
  state TEXT NOT NULL,
  holder TEXT,
  claim_epoch INTEGER NOT NULL,
  lease_expires_at TEXT NOT NULL,
  opened_at TEXT NOT NULL,
  closed_at TEXT,
  PRIMARY KEY (goal_id, turn_id)
);
CREATE INDEX turns_by_agent ON turns (goal_id, agent_id, opened_at);
CREATE UNIQUE INDEX turns_open ON turns (goal_id, agent_id) WHERE state = 'open';
CREATE INDEX turns_charged ON turns (goal_id, opened_at) WHERE state <> 'released';
CREATE TABLE evidence (
  goal_id TEXT NOT NULL,
  evidence_id TEXT NOT NULL,
  agent_id TEXT,
  todo_id TEXT,
  turn_id TEXT,
  outcome TEXT NOT NULL,
  text TEXT NOT NULL,
  files TEXT NOT NULL,
  validation TEXT,
  recorded_at TEXT NOT NULL,
  PRIMARY KEY (goal_id, evidence_id)
);
CREATE UNIQUE INDEX evidence_of_turn ON evidence (goal_id, turn_id) WHERE turn_id IS NOT NULL;
CREATE INDEX evidence_by_agent ON evidence (goal_id, agent_id, recorded_at);
CREATE TABLE events (
  goal_id TEXT NOT NULL,
  seq BIGINT NOT NULL,
  type TEXT NOT NULL,
  at TEXT NOT NULL,
  actor TEXT NOT NULL,
  entity TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  image TEXT NOT NULL,
  PRIMARY KEY (goal_id, seq)
);
CREATE INDEX events_of_entity ON events (goal_id, entity, entity_id, seq);
CREATE INDEX events_by_time ON events (goal_id, at)`,
    digest: "sha256:81ac6292f6278f574ee7c38ad3dac4059ec133dfa317480e16bc4913155b82be",
  },
  {
    number: 2,
    name: "gate_targets",
    sql: `
CREATE TABLE gate_targets (
  goal_id TEXT NOT NULL,
  gate_id TEXT NOT NULL,
  target TEXT NOT NULL,
  kind TEXT NOT NULL,
  decision TEXT,
  ask_again_at TEXT,
  priority INTEGER NOT NULL,
  position BIGINT NOT NULL,
  PRIMARY KEY (goal_id, gate_id, target)
);
CREATE INDEX gate_targets_named ON gate_targets (goal_id, target, decision, kind, gate_id);
CREATE INDEX gate_targets_held ON gate_targets (goal_id, priority, position, gate_id) WHERE COALESCE(decision, '') <> 'approved';
CREATE INDEX todos_work ON todos (goal_id, priority, position)
  WHERE status IN ('open', 'blocked', 'deferred') AND task_class <> 'user_gate' AND role = 'agent'`,
    digest: "sha256:dcd4c0f0edefddf23013743cc1a48e68d5409856c61a937c65ae2da7b8664a7e",
    fill: fillGateTargets,
  },
  {
    number: 3,
    name: "activations",
    sql: `
CREATE TABLE activations (
  goal_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  host_surface TEXT NOT NULL,
  thread_id TEXT,
  loop_driver TEXT,
  task_body_digest TEXT NOT NULL,
  recorded_at TEXT NOT NULL,
  PRIMARY KEY (goal_id, agent_id)
)`,
    digest: "sha256:da864c719db780ce3663cad8dd47ad63511a4e0ead5ce70ac9a4c2cb33db5834",
  },
  {
    number: 4,
    name: "decision_reviews",
    sql: `
CREATE TABLE decision_reviews (
  goal_id TEXT NOT NULL,
  checkpoint_ref TEXT NOT NULL,
  decision_id TEXT NOT NULL,
  evidence_packet_ref TEXT NOT NULL,
  proposal_packet_ref TEXT,
  review_receipt_ref TEXT NOT NULL,
  disposition TEXT NOT NULL,
  actor_ref TEXT NOT NULL,
  reason_code TEXT NOT NULL,
  summary TEXT NOT NULL,
  gate_todo_id TEXT,
  recorded_at TEXT NOT NULL,
  outcome_receipt_ref TEXT,
  outcome_status TEXT,
  PRIMARY KEY (goal_id, checkpoint_ref)
)`,
    digest: "sha256:7d7b2ccab20b376a32cc32212b66ac421ccda52a3b09a2cc1faf3c197bd22672",
  },
];

/** Those that came after decision context's, whose number is 5. */
export const LATER_PROJECT_MIGRATIONS: readonly Migration[] = [
  {
    number: 6,
    name: "context_attachments",
    sql: `
CREATE TABLE context_attachments (
  goal_id TEXT NOT NULL,
  profile TEXT NOT NULL,
  status TEXT NOT NULL,
  context_project TEXT NOT NULL,
  binding TEXT NOT NULL,
  objective TEXT NOT NULL,
  consumer TEXT NOT NULL,
  inputs TEXT NOT NULL,
  trace_store TEXT,
  changed_at TEXT NOT NULL,
  PRIMARY KEY (goal_id, profile)
)`,
    digest: "sha256:844cfd32224bab5476b0c33fdf56d2a4f5526c0d9042e9889ddd7cb31ab96f79",
  },
  {
    number: 7,
    name: "event_compactions",
    sql: `
CREATE TABLE event_compactions (
  goal_id TEXT NOT NULL,
  compaction_id TEXT NOT NULL,
  from_seq BIGINT NOT NULL,
  through_seq BIGINT NOT NULL,
  through_at TEXT NOT NULL,
  removed_count BIGINT NOT NULL,
  removed_bytes BIGINT NOT NULL,
  older_than_ms BIGINT,
  keep_events BIGINT,
  archive TEXT,
  archive_digest TEXT,
  compacted_at TEXT NOT NULL,
  PRIMARY KEY (goal_id, compaction_id)
);
CREATE INDEX event_compactions_by_cutoff ON event_compactions (goal_id, through_seq)`,
    digest: "sha256:6f0dbccb92452b9b8fc1e3d48c159fb3ceafa43b5a075e2284e3e3646d5c0216",
  },
];
