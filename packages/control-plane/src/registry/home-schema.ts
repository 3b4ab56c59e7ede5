import type { Migration } from "@loopx/store";

/** The tables of a machine's home store: which goals exist here, who may own, and what the read-back compares. */
export const HOME_MIGRATIONS: readonly Migration[] = [
  {
    number: 1,
    name: "home",
    sql: `
CREATE TABLE registry (
  name TEXT PRIMARY KEY,
  sequence BIGINT NOT NULL
);
INSERT INTO registry (name, sequence) VALUES ('registry.global.json', 0);
CREATE TABLE projects (
  project_id TEXT PRIMARY KEY,
  root TEXT NOT NULL,
  label TEXT NOT NULL,
  trusted_by TEXT NOT NULL,
  connected_at TEXT NOT NULL
);
CREATE INDEX projects_by_root ON projects (root);
CREATE TABLE registered_goals (
  goal_id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL,
  registered_at TEXT NOT NULL
);
CREATE INDEX registered_goals_of_project ON registered_goals (project_id);
CREATE TABLE registered_agents (
  goal_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  PRIMARY KEY (goal_id, agent_id)
);
CREATE TABLE registered_bindings (
  goal_id TEXT NOT NULL,
  host_surface TEXT NOT NULL,
  thread_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  PRIMARY KEY (goal_id, host_surface, thread_id)
);
CREATE TABLE owner_tokens (
  token_id TEXT PRIMARY KEY,
  label TEXT NOT NULL,
  digest TEXT NOT NULL,
  created_at TEXT NOT NULL,
  revoked_at TEXT
)`,
    digest: "sha256:5b116d39097d2302a07670e36bd215c1d5ca8b444deadf1c2fde57583d91150c",
  },
];
