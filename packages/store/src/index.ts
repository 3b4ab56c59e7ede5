// The front door of @loopx/store: named exports only.
export { clearRows, copyRows, insertOnce } from "./copy-rows.ts";
export type { Database, SqlRow, SqlValue, Transaction } from "./database.ts";
export { digestRows, type TableDigest } from "./digest-rows.ts";
export { toFileError } from "./files/file-errors.ts";
export { findProgram, isProgram } from "./files/find-program.ts";
export { makeDirectories } from "./files/make-directories.ts";
export { prepareStoreDirectory } from "./files/prepare-store-directory.ts";
export { removeEntry } from "./files/remove-entry.ts";
export { assertStorePlace } from "./files/store-place.ts";
export { syncDirectory } from "./files/sync-directory.ts";
export { writeNewFile } from "./files/write-new-file.ts";
export { writeFileAtomically, type AtomicWriteOptions } from "./files/write-file-atomically.ts";
export { isConnectionLost } from "./lost-connection.ts";
export { verifyMigrations, type Migration } from "./migrations.ts";
export { loadSqliteDriver } from "./sqlite/load-sqlite-driver.ts";
export { openSqlite, type OpenSqliteOptions } from "./sqlite/open-sqlite.ts";
export type { MayBeRow } from "./sqlite/salvage/salvage-rows.ts";
export {
  replaceDamagedStore,
  salvageStore,
  settleDamagedStore,
  type SalvagedStore,
} from "./sqlite/salvage/salvage-store.ts";
export type { SqliteDriverName } from "./sqlite/sqlite-driver.ts";
export { verifyIntegrity, verifyServerIndexes } from "./verify-integrity.ts";
