import type { Migration } from "@loopx/store";
import { fillRequestDigests } from "./fill-request-digests.ts";

/**
 * The tables of the trace store. Forward only: a shipped migration is never edited.
 *
 * `position` orders traces as they were committed, whatever clocks did. What a trace says is its document; the summary
 * repeats what a list shows of it, because a page of documents costs ten times its query. All other columns are for search;
 * `trace_spans` says between which positions the traces of each ten minutes stand. A content that is kept is encrypted, and
 * its row stays when it goes; `retained_totals` says what the contents of a provider take together. A register names the
 * chains under one key. A pruning says how many traces are gone from the beginning of a chain, and how the last of them ended.
 */
export const TRACE_MIGRATIONS: readonly Migration[] = [
  {
    number: 1,
    name: "context_traces",
    sql: `
CREATE TABLE trace_chains (
  chain TEXT PRIMARY KEY,
  writer TEXT NOT NULL,
  month TEXT NOT NULL,
  key_id TEXT NOT NULL,
  entry_count INTEGER NOT NULL,
  mac TEXT NOT NULL,
  signature TEXT NOT NULL
);
CREATE TABLE traces (
  position INTEGER PRIMARY KEY,
  trace_id TEXT NOT NULL UNIQUE,
  chain TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  mac TEXT NOT NULL,
  at TEXT NOT NULL,
  objective TEXT NOT NULL,
  consumer TEXT NOT NULL,
  outcome TEXT NOT NULL,
  summary TEXT NOT NULL,
  document TEXT NOT NULL,
  UNIQUE (chain, sequence)
);
CREATE INDEX traces_by_time ON traces (at, position);
CREATE INDEX traces_by_objective ON traces (objective, position);
CREATE INDEX traces_by_consumer ON traces (consumer, position);
CREATE INDEX traces_by_outcome ON traces (outcome, position);
CREATE TABLE trace_providers (
  provider TEXT NOT NULL,
  position INTEGER NOT NULL,
  status TEXT NOT NULL,
  PRIMARY KEY (provider, position)
);
CREATE INDEX trace_providers_by_outcome ON trace_providers (provider, status, position);
CREATE INDEX trace_providers_by_status ON trace_providers (status, position, provider);
CREATE INDEX trace_providers_by_position ON trace_providers (position);
CREATE TABLE trace_layers (
  layer TEXT NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (layer, position)
);
CREATE INDEX trace_layers_by_position ON trace_layers (position)`,
    digest: "sha256:cb1a8eb92fddef4ae4f64eb68a526a22481377967a0cac4213c062363e30e459",
  },
  {
    number: 2,
    name: "trace_spans",
    sql: `
CREATE TABLE trace_spans (
  span TEXT PRIMARY KEY,
  first_position INTEGER NOT NULL,
  last_position INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO trace_spans (span, first_position, last_position)
  SELECT substr(at, 1, 15), MIN(position), MAX(position) FROM traces GROUP BY substr(at, 1, 15)`,
    digest: "sha256:fe11ae0171f1b6ceaf1f3e2ba5dec7d0d9bc7a58212a6b2614a21b6219c4d5e2",
  },
  {
    number: 3,
    name: "retained_contents",
    sql: `
CREATE TABLE retained_contents (
  id INTEGER PRIMARY KEY,
  trace_id TEXT NOT NULL,
  deployment TEXT NOT NULL,
  provider TEXT NOT NULL,
  key_id TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  sealed TEXT,
  purged_at TEXT,
  purged_because TEXT,
  UNIQUE (trace_id, provider)
);
CREATE INDEX retained_contents_by_provider ON retained_contents (deployment, provider, id) WHERE sealed IS NOT NULL;
CREATE INDEX retained_contents_by_expiry ON retained_contents (expires_at) WHERE sealed IS NOT NULL;
CREATE TABLE retained_totals (
  deployment TEXT NOT NULL,
  provider TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (deployment, provider)
);
ALTER TABLE trace_providers ADD COLUMN request_digest TEXT;
CREATE INDEX trace_providers_by_request ON trace_providers (request_digest, position) WHERE request_digest IS NOT NULL`,
    redefines: [
      `CREATE TABLE trace_providers (
  provider TEXT NOT NULL,
  position INTEGER NOT NULL,
  status TEXT NOT NULL, request_digest TEXT,
  PRIMARY KEY (provider, position)
)`,
    ],
    digest: "sha256:70b415de071267b4fe57fc27f7e75fb6824b0b65acfaffbc3964602b218c376f",
    fill: fillRequestDigests,
  },
  {
    number: 4,
    name: "trace_registers",
    sql: `
CREATE TABLE trace_registers (
  deployment TEXT NOT NULL,
  key_id TEXT NOT NULL,
  key_mark TEXT NOT NULL,
  document TEXT NOT NULL,
  signature TEXT NOT NULL,
  PRIMARY KEY (deployment, key_id, key_mark)
)`,
    digest: "sha256:e70c69c153c75f4f33fd300661593977101133af84a55adfd1bb39e6dd48aa3a",
  },
  {
    number: 5,
    name: "trace_prunings",
    sql: `
CREATE TABLE trace_prunings (
  chain TEXT PRIMARY KEY,
  deployment TEXT NOT NULL,
  entry_count INTEGER NOT NULL,
  mac TEXT NOT NULL,
  began_before TEXT NOT NULL,
  pruned_at TEXT NOT NULL,
  last_position INTEGER NOT NULL,
  signature TEXT NOT NULL
);
CREATE INDEX trace_prunings_by_position ON trace_prunings (last_position)`,
    digest: "sha256:64e0b0a4ca4f07cf6d2f2e75a943d8482754ffa1fb0272525e0984897003f45f",
  },
];
