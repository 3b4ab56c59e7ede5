import { isLoopxError } from "@loopx/contracts";
import type { Database } from "./database.ts";

/**
 * Lists what is damaged in a store: broken pages, indexes that disagree with their table, references to missing rows. Empty when
 * it is sound.
 *
 * `quick` skips comparing indexes with their tables, which takes most of the time. A server is asked nothing here: what it can
 * check itself, `verifyServerIndexes` asks it.
 */
export async function verifyIntegrity(
  database: Database,
  depth: "quick" | "full" = "quick",
): Promise<readonly string[]> {
  if (database.engine !== "sqlite") return [];
  try {
    return await database.read(async (tx) => {
      const pages = await tx.all(depth === "quick" ? "PRAGMA quick_check" : "PRAGMA integrity_check");
      const references = await tx.all<BrokenReference>("PRAGMA foreign_key_check");
      const findings = pages.flatMap((row) => Object.values(row)).map(String);
      return [...findings.filter((finding) => finding !== "ok"), ...references.map(renderReference)];
    });
  } catch (error) {
    if (isLoopxError(error) && error.code === "store_corrupt") return [error.message];
    throw error;
  }
}

/**
 * Lets a server hold each index of the open schema against its table, by its own extension `amcheck`. Undefined where the
 * server doesn't have that extension in this database, or doesn't let this user call it.
 */
export async function verifyServerIndexes(database: Database): Promise<readonly string[] | undefined> {
  if (database.engine !== "postgres") return undefined;
  try {
    return await database.read(async (tx) => {
      const [extension] = await tx.all<{ readonly schema: string }>(
        "SELECT quote_ident(n.nspname) AS schema FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace " +
          "WHERE e.extname = 'amcheck'",
      );
      if (extension === undefined) return undefined;
      await tx.all(
        `SELECT c.relname AS name FROM pg_class c, LATERAL ${extension.schema}.bt_index_check(c.oid, true) ` +
          "WHERE c.relkind = 'i' AND c.relam = (SELECT oid FROM pg_am WHERE amname = 'btree') " +
          "AND c.relnamespace = CAST(current_schema() AS REGNAMESPACE)",
      );
      return [];
    });
  } catch (error) {
    if (!isLoopxError(error)) throw error;
    if (error.code === "store_corrupt") return [error.message];
    if (error.code === "store_access_denied") return undefined;
    throw error;
  }
}

interface BrokenReference {
  readonly table: string;
  readonly rowid: number | null;
  readonly parent: string;
}

function renderReference({ table, rowid, parent }: BrokenReference): string {
  return `row ${rowid ?? "?"} of ${table} refers to a missing row of ${parent}`;
}
