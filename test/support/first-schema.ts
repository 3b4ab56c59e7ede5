/** What takes a project's store of today back to the schema of its first migration, for a world that was made long ago. */
export const BACK_TO_FIRST_SCHEMA = [
  ..."gate_targets activations decision_reviews decision_cursors prepared_reviews context_attachments event_compactions"
    .split(" ")
    .map((table) => `DROP TABLE ${table}`),
  "DROP INDEX todos_work",
  "DELETE FROM schema_migrations WHERE number > 1",
  "PRAGMA user_version = 1",
].join("; ");
