/** Temporary tables stay in memory: a sandbox may forbid every directory but the project's. */
export const READER_SETTINGS = "PRAGMA temp_store = MEMORY;";

/** EXTRA also syncs the directory after the journal is gone. With less, a power loss can undo a write that was reported done. */
export const WRITER_SETTINGS = `${READER_SETTINGS} PRAGMA synchronous = EXTRA; PRAGMA foreign_keys = ON;`;
