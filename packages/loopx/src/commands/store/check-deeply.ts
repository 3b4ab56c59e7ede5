import { join, resolve } from "node:path";
import { existsSync } from "node:fs";
import { findSensitive, isLoopxError, type Ambient } from "@loopx/contracts";
import { findRegistryFaults, findStateFaults, type StateFault } from "@loopx/control-plane";
import { DECISION_CONTEXT_TABLES } from "@loopx/decision-context";
import { listActiveExtensions } from "@loopx/extensions";
import { findTraceFaults } from "@loopx/runtime-context";
import { verifyIntegrity, verifyServerIndexes, type Database, type Transaction } from "@loopx/store";
import { printCommand } from "../../command-line/print-command.ts";
import { toNoTracesError } from "../../context/trace-place.ts";
import { TRACE_FILE } from "../../context/trace-store-place.ts";
import { renderQuantity } from "../../packets/render-facts.ts";
import { listBackups } from "../../project/backups.ts";
import { withHomeToRead } from "../../project/open-home.ts";
import { withProject } from "../../project/resolve-project.ts";
import type { CommandInput } from "../command-handler.ts";
import type { DoctorCheck } from "./doctor-check.ts";

type Guard = (name: string, check: () => Promise<DoctorCheck>) => Promise<DoctorCheck>;

const FAULTS_SHOWN = 3;

/** Reads every page and row of the project's store, the home's, and the trace stores that are named. */
export async function checkDeeply(input: CommandInput<"doctor">, guard: Guard): Promise<readonly DoctorCheck[]> {
  const { flags, ambient } = input;
  return [
    ...(await checkProjectStore(input)),
    await checkHomeStore(ambient),
    ...(await Promise.all(
      flags.store.map((folder) => guard("trace store in depth", () => checkTraces(folder, ambient))),
    )),
  ];
}

async function checkProjectStore({ globals, ambient }: CommandInput<"doctor">): Promise<readonly DoctorCheck[]> {
  const name = "project in depth";
  try {
    return await withProject({ globals, ambient, goalId: undefined }, "read", async ({ database, projectId }) => {
      const faults = await listFaults(database, async (tx) => [
        ...(await findStateFaults(tx)),
        ...(await readRows(tx, DECISION_CONTEXT_TABLES)),
      ]);
      if (faults.length === 0) return [{ name, state: "ok", found: await describeSound(database) }];
      const found = describeFaults(faults);
      if (database.engine === "postgres") return [{ name, state: "failed", found, remedy: RESTORE_SERVER }];
      return [{ name, state: "failed", found, ...chooseWayOut(projectId, { globals, ambient }) }];
    });
  } catch (error) {
    // Where there is no store that opens, the check of the project says so.
    if (isLoopxError(error)) return [];
    throw error;
  }
}

const RESTORE_SERVER = "restore the server's backup, or the newest of LoopX: loopx restore --execute";

async function describeSound(database: Database): Promise<string> {
  const rows = "every row agrees with its events";
  if (database.engine === "sqlite") return `every page is sound, and ${rows}`;
  const isChecked = (await verifyServerIndexes(database)) !== undefined;
  return isChecked ? `every index is sound, and ${rows}` : `${rows}; the server has no amcheck to look at its indexes`;
}

/** A backup brings back all that was there then; a recovery what can be read now. */
function chooseWayOut(
  projectId: string,
  { globals, ambient }: Pick<CommandInput<"doctor">, "globals" | "ambient">,
): Pick<DoctorCheck, "remedy" | "alternative"> {
  const extras = globals.project === undefined ? {} : { globals: { project: globals.project } };
  const recover = printCommand("recover", {}, extras).shell;
  if (listBackups(projectId, ambient).length === 0) return { remedy: recover };
  return { remedy: printCommand("restore", { execute: true }, extras).shell, alternative: recover };
}

async function checkHomeStore(ambient: Ambient): Promise<DoctorCheck> {
  const name = "home in depth";
  const remedy = printCommand("recover", { home: true }).shell;
  try {
    return await withHomeToRead(ambient, async (home) => {
      if (home === undefined) return { name, state: "ok", found: "not there yet" };
      const faults = await listFaults(home, async (tx) => {
        await listActiveExtensions(tx);
        return findRegistryFaults(tx);
      });
      if (faults.length > 0) return { name, state: "failed", found: describeFaults(faults), remedy };
      return { name, state: "ok", found: "every page is sound, and its rows go together" };
    });
  } catch (error) {
    if (!isLoopxError(error)) throw error;
    const isDamaged = error.code === "store_corrupt";
    return { name, state: "failed", found: error.message, ...(isDamaged ? { remedy } : {}) };
  }
}

async function checkTraces(folder: string, ambient: Ambient): Promise<DoctorCheck> {
  const name = "trace store in depth";
  const path = join(resolve(ambient.cwd, folder), TRACE_FILE);
  const remedy = printRecoverTraces(folder);
  if (!existsSync(path)) throw toNoTracesError();
  try {
    const faults = await findTraceFaults(path, { label: "the trace store", now: () => ambient.now() });
    if (faults.length > 0) return { name, state: "failed", found: describeTexts(faults), remedy };
  } catch (error) {
    if (!isLoopxError(error) || error.code !== "store_corrupt") throw error;
    return { name, state: "failed", found: error.message, remedy };
  }
  return {
    name,
    state: "ok",
    found: "every page is sound and every chain whole; with keys, context traces verify tells more",
  };
}

/** A packet holds no absolute path: one masked would be no command at all. */
function printRecoverTraces(folder: string): string {
  return findSensitive(folder).length > 0
    ? "loopx recover --store=DIR"
    : printCommand("recover", { store: folder }).shell;
}

/** The engine's findings first: where pages are broken, what rows say follows from that. */
async function listFaults(
  database: Database,
  find: (tx: Transaction) => Promise<readonly StateFault[]>,
): Promise<readonly string[]> {
  const damage = [...(await verifyIntegrity(database, "full")), ...((await verifyServerIndexes(database)) ?? [])];
  if (damage.length > 0) return damage;
  try {
    const faults = await database.read(find);
    return faults.map(({ table, problem, count }) => `${table}: ${count} ${problem}`);
  } catch (error) {
    if (isLoopxError(error) && error.code === "store_corrupt") return [error.message];
    throw error;
  }
}

async function readRows(tx: Transaction, tables: readonly string[]): Promise<readonly StateFault[]> {
  for (const table of tables) await tx.all(`SELECT * FROM ${table}`);
  return [];
}

function describeFaults(faults: readonly string[]): string {
  return `damaged: ${describeTexts(faults)}`;
}

/** What the engine says of a broken page may be several lines. */
function describeTexts(faults: readonly string[]): string {
  const lines = faults.flatMap((fault) => fault.split("\n")).filter((line) => line.trim() !== "");
  const more = lines.length > FAULTS_SHOWN ? `; ${renderQuantity(lines.length - FAULTS_SHOWN, "finding")} more` : "";
  return `${lines.slice(0, FAULTS_SHOWN).join("; ")}${more}`;
}
