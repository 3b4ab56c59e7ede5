import { LoopxError, type Instant } from "@loopx/contracts";
import type { SqlRow, SqlValue, Transaction } from "@loopx/store";
import type { ActiveExtension, Extension, ExtensionRevision, ExtensionState } from "./extension.ts";
import { toRevision } from "../manifest/manifest-revision.ts";
import { isManifest } from "./is-manifest.ts";

const EXTENSION_COLUMNS =
  "extension_id, enabled, active_revision, rollback_revision, verified_revision, verified_identity, change_count, changed_at";
const REVISION_COLUMNS = "extension_id, revision, manifest, folder, entrypoint, ordinal, recorded_at";

/** The extension of this id. Refuses a row that LoopX never wrote with `store_corrupt`. */
async function findExtension(tx: Transaction, extensionId: string): Promise<Extension | undefined> {
  const row = await tx.get(`SELECT ${EXTENSION_COLUMNS} FROM extensions WHERE extension_id = ?`, extensionId);
  return row === undefined ? undefined : decodeExtension(row);
}

/** Every revision that is kept of an extension, oldest first. */
async function listRevisions(tx: Transaction, extensionId: string): Promise<readonly ExtensionRevision[]> {
  const rows = await tx.all(
    `SELECT ${REVISION_COLUMNS} FROM extension_revisions WHERE extension_id = ? ORDER BY ordinal`,
    extensionId,
  );
  return rows.map(decodeRevision);
}

/** One extension with the revision in use. */
export async function findActiveExtension(tx: Transaction, extensionId: string): Promise<ActiveExtension | undefined> {
  const extension = await findExtension(tx, extensionId);
  return extension === undefined ? undefined : loadActive(tx, extension);
}

/** One extension with all its revisions. */
export async function findExtensionState(tx: Transaction, extensionId: string): Promise<ExtensionState | undefined> {
  const extension = await findExtension(tx, extensionId);
  return extension === undefined ? undefined : { extension, revisions: await listRevisions(tx, extensionId) };
}

/** All extensions by id, each with all its revisions. */
export async function listExtensionStates(tx: Transaction): Promise<readonly ExtensionState[]> {
  const rows = await tx.all(`SELECT ${EXTENSION_COLUMNS} FROM extensions ORDER BY extension_id`);
  const states: ExtensionState[] = [];
  for (const row of rows) {
    const extension = decodeExtension(row);
    states.push({ extension, revisions: await listRevisions(tx, extension.extension_id) });
  }
  return states;
}

/** All extensions by id, each with the revision in use. */
export async function listActiveExtensions(tx: Transaction): Promise<readonly ActiveExtension[]> {
  const rows = await tx.all(`SELECT ${EXTENSION_COLUMNS} FROM extensions ORDER BY extension_id`);
  const active: ActiveExtension[] = [];
  for (const row of rows) active.push(await loadActive(tx, decodeExtension(row)));
  return active;
}

/** Inserts the extension, or makes its row equal to it. */
export async function saveExtension(tx: Transaction, extension: Extension): Promise<void> {
  await tx.run(
    `INSERT INTO extensions (${EXTENSION_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ` +
      "ON CONFLICT (extension_id) DO UPDATE SET enabled = excluded.enabled, active_revision = excluded.active_revision, " +
      "rollback_revision = excluded.rollback_revision, verified_revision = excluded.verified_revision, " +
      "verified_identity = excluded.verified_identity, change_count = excluded.change_count, changed_at = excluded.changed_at",
    extension.extension_id,
    extension.enabled ? 1 : 0,
    extension.active_revision,
    extension.rollback_revision,
    extension.verified_revision,
    extension.verified_identity,
    extension.change_count,
    extension.changed_at,
  );
}

/** Makes the kept revisions of an extension exactly these. */
export async function replaceRevisions(
  tx: Transaction,
  extensionId: string,
  revisions: readonly ExtensionRevision[],
): Promise<void> {
  await tx.run("DELETE FROM extension_revisions WHERE extension_id = ?", extensionId);
  for (const each of revisions) {
    await tx.run(
      `INSERT INTO extension_revisions (${REVISION_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
      each.extension_id,
      each.revision,
      JSON.stringify(each.manifest),
      each.folder,
      each.entrypoint,
      each.ordinal,
      each.recorded_at,
    );
  }
}

/** Forgets an extension with all its revisions. */
export async function deleteExtension(tx: Transaction, extensionId: string): Promise<void> {
  await tx.run("DELETE FROM extension_revisions WHERE extension_id = ?", extensionId);
  await tx.run("DELETE FROM extensions WHERE extension_id = ?", extensionId);
}

async function loadActive(tx: Transaction, extension: Extension): Promise<ActiveExtension> {
  const row = await tx.get(
    `SELECT ${REVISION_COLUMNS} FROM extension_revisions WHERE extension_id = ? AND revision = ?`,
    extension.extension_id,
    extension.active_revision,
  );
  if (row === undefined) throw toCorruptError("extensions", "active_revision");
  return { extension, revision: decodeRevision(row) };
}

function decodeExtension(row: SqlRow): Extension {
  const take = createTaker("extensions", row);
  const enabled = take("enabled", (value) => value === 0 || value === 1);
  const verifiedRevision = take("verified_revision", isTextOrNull) as string | null;
  return {
    extension_id: take("extension_id", isText) as string,
    enabled: enabled === 1,
    active_revision: take("active_revision", isText) as string,
    rollback_revision: take("rollback_revision", isTextOrNull) as string | null,
    verified_revision: verifiedRevision,
    verified_identity: take("verified_identity", (value) =>
      verifiedRevision === null ? value === null : isText(value),
    ) as string | null,
    change_count: take("change_count", isCount) as number,
    changed_at: take("changed_at", isText) as Instant,
  };
}

function decodeRevision(row: SqlRow): ExtensionRevision {
  const take = createTaker("extension_revisions", row);
  const extensionId = take("extension_id", isText) as string;
  const manifest = parseStored(take("manifest", isText));
  if (!isManifest(manifest) || manifest.provider.id !== extensionId) {
    throw toCorruptError("extension_revisions", "manifest");
  }
  // What was verified is the revision: a manifest that it doesn't name would be started on another one's proof.
  const revision = take("revision", (value) => value === toRevision(manifest)) as string;
  return {
    extension_id: extensionId,
    revision,
    manifest,
    folder: take("folder", isText) as string,
    entrypoint: take("entrypoint", isText) as string,
    ordinal: take("ordinal", isCount) as number,
    recorded_at: take("recorded_at", isText) as Instant,
  };
}

function createTaker(table: string, row: SqlRow): (column: string, rule: (value: SqlValue) => boolean) => SqlValue {
  return (column, rule) => {
    const value = row[column] ?? null;
    if (rule(value)) return value;
    throw toCorruptError(table, column);
  };
}

function parseStored(stored: SqlValue): unknown {
  try {
    return JSON.parse(String(stored)) as unknown;
  } catch {
    return undefined;
  }
}

const isText = (value: SqlValue): boolean => typeof value === "string" && value !== "";
const isTextOrNull = (value: SqlValue): boolean => value === null || isText(value);
const isCount = (value: SqlValue): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

function toCorruptError(table: string, column: string): LoopxError {
  return new LoopxError("store_corrupt", {
    message: `the LoopX home store is damaged: a row of ${table} holds in ${column} what LoopX never writes; it was left as it is`,
    hint: "loopx doctor",
    details: { table, column },
  });
}
