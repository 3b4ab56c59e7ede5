import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listRows, loadProjectState, type ProjectState, type StateRow } from "../../support/project-state.ts";
import { readField } from "../../support/read-field.ts";
import type { SoakWorld } from "./create-soak-world.ts";
import { findSoakFaults } from "./find-soak-faults.ts";
import type { Gauge, Growth } from "./measure-soak.ts";
import type { SoakCommands } from "./run-soak-command.ts";
import type { SoakRecord } from "./soak-record.ts";

/** What a soak came to. */
export interface SoakOutcome {
  readonly record: SoakRecord;
  readonly faults: readonly string[];
  readonly settledTurns: number;
  /** Null where a fault was found: what follows takes a whole store for granted. */
  readonly growth: Growth | null;
}

/** What was worked on, when nothing works on it any more. */
export interface EndedSoak extends SoakWorld {
  readonly record: SoakRecord;
  readonly gauge: Gauge;
  readonly commands: SoakCommands;
}

/** Holds the store against the record, then compacts it in two stages and holds it against the record again. */
export async function concludeSoak(soak: EndedSoak, before: ProjectState): Promise<SoakOutcome> {
  const { world, record, goals, ownerFlag, gauge, commands } = soak;
  const load = async (): Promise<{ readonly state: ProjectState; readonly faults: readonly string[] }> => {
    const state = await loadProjectState(world);
    return { state, faults: findSoakFaults({ record, goals, state, archived: readArchives(world.loopxHome) }) };
  };
  const end = await load();
  const settledTurns = listRows(end.state, "turns").filter((turn) => turn["state"] === "settled").length;
  const faults = [...record.faults, ...end.faults, ...(await findOtherFaults(soak, end.state))];
  if (faults.length > 0) return { record, faults, settledTurns, growth: null };
  await world.call(["gc", "--keep-events=5", "--execute", ownerFlag]);
  const compacted = await load();
  for (const { goalId, agents } of goals)
    await world.call(["todo", "archive", `--goal-id=${goalId}`, `--agent-id=${agents[0]}`, "--completed"]);
  await world.call(["gc", "--keep-events=0", "--execute", ownerFlag]);
  const least = await load();
  const states = { before, end: end.state, compacted: compacted.state, least: least.state };
  const growth = await gauge.conclude({ states, settledTurns, peaks: commands.peaks });
  return { record, faults: [...compacted.faults, ...least.faults], settledTurns, growth };
}

const GOALS_ASKED = 20;

/** What the program itself says of the state. */
async function findOtherFaults({ world, goals }: EndedSoak, state: ProjectState): Promise<readonly string[]> {
  const faults: string[] = [];
  const doctor = await world.run(["doctor"]);
  if (readField(doctor.json, "ok") !== true) faults.push(`doctor: ${doctor.stdout}`);
  for (const { goalId } of goals.slice(0, GOALS_ASKED)) {
    const used = readField(await world.call(["quota", "status", `--goal-id=${goalId}`]), "used_turns");
    const rows = listRows(state, "turns").filter((turn) => turn["goal_id"] === goalId && turn["state"] !== "released");
    if (used !== rows.length) faults.push(`${goalId}: quota says ${String(used)}, its turns are ${rows.length}`);
  }
  return faults;
}

function readArchives(loopxHome: string): readonly StateRow[] {
  const folder = join(loopxHome, "archives");
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => {
      const lines = readFileSync(join(folder, name), "utf8").trimEnd().split("\n");
      return lines.slice(1, -1).map((line) => ({ ...Object(readField(JSON.parse(line), "row")) }) as StateRow);
    });
}
