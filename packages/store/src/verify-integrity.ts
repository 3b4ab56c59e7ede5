import { isLoopxError } from "@loopx/contracts";
import type { Database } from "./database.ts";

/**
 * Lists what is damaged in a store: broken pages, indexes that disagree with their table, references to missing rows. Empty when
 * it is sound.
 *
 * `quick` skips comparing indexes with their tables, which takes most of the time.
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

interface BrokenReference {
  readonly table: string;
  readonly rowid: number | null;
  readonly parent: string;
}

function renderReference({ table, rowid, parent }: BrokenReference): string {
  return `row ${rowid ?? "?"} of ${table} refers to a missing row of ${parent}`;
}
