import type { Migration } from "@loopx/store";

/** What the home store keeps of extensions: manifests and proofs; never what a program read, wrote or answered. */
export const EXTENSIONS_MIGRATION: Migration = {
  number: 2,
  name: "extensions",
  sql: `
CREATE TABLE extensions (
  extension_id TEXT PRIMARY KEY,
  enabled INTEGER NOT NULL,
  active_revision TEXT NOT NULL,
  rollback_revision TEXT,
  verified_revision TEXT,
  verified_identity TEXT,
  change_count BIGINT NOT NULL,
  changed_at TEXT NOT NULL
);
CREATE TABLE extension_revisions (
  extension_id TEXT NOT NULL,
  revision TEXT NOT NULL,
  manifest TEXT NOT NULL,
  folder TEXT NOT NULL,
  entrypoint TEXT NOT NULL,
  ordinal BIGINT NOT NULL,
  recorded_at TEXT NOT NULL,
  PRIMARY KEY (extension_id, revision)
)`,
  digest: "sha256:7133b0ed24217fa9b2418698af0c7da39ddbcffbf8b95b530b689f62133fe10d",
};
