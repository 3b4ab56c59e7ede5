/**
 * Temporary tables stay in memory: a sandbox may forbid every directory but the project's. A definition in the file may
 * call no function with an effect.
 */
export const READER_SETTINGS = "PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF;";

/** EXTRA also syncs the directory after the journal is gone. With less, a power loss can undo a write that was reported done. */
export const WRITER_SETTINGS = `${READER_SETTINGS} PRAGMA synchronous = EXTRA; PRAGMA foreign_keys = ON;`;
