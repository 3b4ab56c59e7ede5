import { formatDuration, isLoopxError, toEpochMs, type Ambient } from "@loopx/contracts";
import { digestRows, verifyIntegrity, type Database } from "@loopx/store";
import { printCommand } from "../../command-line/print-command.ts";
import { joinLines, renderFacts, renderNext, renderQuantity } from "../../packets/render-facts.ts";
import { listBackups } from "../../project/backups.ts";
import type { OpenProject } from "../../project/open-project.ts";
import { PROJECT_SCHEMA } from "../../project/project-schema.ts";
import { STORE_LABEL, STORE_REFERENCE_LABEL } from "../../project/project-roots.ts";
import { withProject } from "../../project/resolve-project.ts";
import type { CommandResult } from "../../output/command-result.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

/** Shows a store: where it is, what it holds, whether it is sound. Reads every row of it. */
export const run: CommandHandler<"store status"> = async ({ globals, ambient }) => {
  try {
    return await withProject({ globals, ambient, goalId: undefined }, "read", (project) => show(project, ambient));
  } catch (error) {
    if (!isLoopxError(error) || error.code !== "store_needs_migration") throw error;
    return showOld();
  }
};

async function show(project: OpenProject, ambient: CommandInput<"store status">["ambient"]): Promise<CommandResult> {
  const { database, label, projectId } = project;
  const [tables, bytes, faults] = [
    await database.read((tx) => digestRows(tx, PROJECT_SCHEMA)),
    await loadBytes(database),
    await verifyIntegrity(database),
  ];
  const rowCount = tables.reduce((sum, table) => sum + table.rowCount, 0);
  const [newest] = listBackups(projectId, ambient);
  const place = database.engine === "sqlite" ? STORE_LABEL : `the server that ${STORE_REFERENCE_LABEL} names`;
  const next = faults.length > 0 ? [printCommand("restore", {}).shell] : [];
  return {
    packet: {
      ok: faults.length === 0,
      schema_version: "loopx_store_status_v1",
      project_root_label: label,
      project_id: projectId,
      engine: database.engine,
      place,
      writable: database.isWritable,
      schema: PROJECT_SCHEMA.length,
      needs_migration: false,
      bytes,
      rows: rowCount,
      tables: tables.map(({ name, rowCount: rows, digest }) => ({ name, rows, digest })),
      sound: faults.length === 0,
      ...(newest === undefined ? {} : { newest_backup: newest.name, newest_backup_age: toAge(newest, ambient) }),
      next,
    },
    text: (style) =>
      joinLines(
        renderFacts(
          [
            ["project", `${label}, ${projectId}`],
            ["kept in", `${place}${database.isWritable ? "" : ", which cannot be written from here"}`],
            ["schema", `${PROJECT_SCHEMA.length}, this version's`],
            ["size", `${renderQuantity(rowCount, "row")}, ${Math.ceil(bytes / 1024)} KiB`],
            ["sound", faults.length === 0 ? "yes" : (faults[0] ?? "no")],
            ["backup", newest === undefined ? "none yet: loopx backup" : `${toAge(newest, ambient)} old`],
          ],
          style,
        ),
        renderNext(next, style),
      ),
    exitCode: faults.length === 0 ? 0 : 1,
  };
}

function showOld(): CommandResult {
  const next = [printCommand("store migrate", {}).shell];
  return {
    packet: {
      ok: true,
      schema_version: "loopx_store_status_v1",
      schema_known: PROJECT_SCHEMA.length,
      needs_migration: true,
      next,
    },
    text: (style) => joinLines("the store has an older schema than this version's", renderNext(next, style)),
  };
}

/** Bytes of the file, or of the tables with their indexes on a server. */
async function loadBytes(database: Database): Promise<number> {
  const statement =
    database.engine === "sqlite"
      ? "SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()"
      : "SELECT SUM(pg_total_relation_size(oid)) AS bytes FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace";
  const row = await database.read((tx) => tx.get<{ readonly bytes: number | null }>(statement));
  return row?.bytes ?? 0;
}

const MINUTE_MS = 60_000;

function toAge({ takenAtMs }: { readonly takenAtMs: number }, ambient: Pick<Ambient, "now">): string {
  const age = Math.floor((toEpochMs(ambient.now()) - takenAtMs) / MINUTE_MS) * MINUTE_MS;
  return age < MINUTE_MS ? "under a minute" : formatDuration(age);
}
