import type { Instant } from "@loopx/contracts";
import { copyRows } from "../copy-rows.ts";
import type { Database } from "../database.ts";
import { removeEntry } from "../files/remove-entry.ts";
import type { Migration } from "../migrations.ts";
import { backupSqlite } from "../sqlite/backup-sqlite.ts";
import { openSqlite } from "../sqlite/open-sqlite.ts";

interface BackupOptions {
  readonly label: string;
  readonly migrations: readonly Migration[];
  now(): Instant;
}

/**
 * Writes what a store holds, as of one moment, to a new SQLite file of mode 0600: a backup that is read without the server.
 *
 * Refuses an existing target with `file_not_writable`, and leaves it as it is.
 */
export async function backupPostgres(source: Database, path: string, options: BackupOptions): Promise<void> {
  const { label } = options;
  await backupSqlite(path, { path, label }, async (unfinished) => {
    // The file is there to be copied into; a store is made where there is none.
    removeEntry(unfinished);
    await copyToNewFile(source, unfinished, options);
  });
}

async function copyToNewFile(source: Database, path: string, options: BackupOptions): Promise<void> {
  const { label, migrations } = options;
  const target = await openSqlite({
    path,
    label: `the backup of ${label}`,
    access: "write",
    create: true,
    journal: "rollback",
    migrations,
    now: () => options.now(),
  });
  try {
    await source.read((from) => target.write((to) => copyRows(from, to, migrations)));
  } finally {
    await target.close();
  }
}
