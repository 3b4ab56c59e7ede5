import { existsSync } from "node:fs";
import { join } from "node:path";
import { toInstant } from "@loopx/contracts";
import { findRegistryFaults, findStateFaults } from "@loopx/control-plane";
import { openSqlite, verifyIntegrity, type Database } from "@loopx/store";
import { HOME_SCHEMA } from "../../packages/loopx/src/project/home-schema.ts";
import { PROJECT_SCHEMA } from "../../packages/loopx/src/project/project-schema.ts";

/** What is in the stores of a world, looked at in this process, as any command that opens them would find it. */
export interface StoresContent {
  /** What `doctor --deep` would say of them; empty for whole ones. */
  readonly faults: readonly string[];
  /** Each event of the project as `goal seq type`, in order. */
  readonly events: readonly string[];
}

/** Opens both stores of a world as the next command does, so that an interrupted write is undone. */
export async function readStores(place: {
  readonly project: string;
  readonly loopxHome: string;
}): Promise<StoresContent> {
  const project = await open(join(place.project, ".loopx", "state.db"), PROJECT_SCHEMA);
  const faults: string[] = [];
  let events: readonly string[] = [];
  try {
    faults.push(...(await verifyIntegrity(project, "full")));
    const found = await project.read(findStateFaults);
    faults.push(...found.map(({ table, problem, count }) => `${table}: ${count} ${problem}`));
    const rows = await project.read((tx) => tx.all("SELECT goal_id, seq, type FROM events ORDER BY goal_id, seq"));
    events = rows.map((row) => Object.values(row).join(" "));
  } finally {
    await project.close();
  }
  if (!existsSync(join(place.loopxHome, "home.db"))) return { faults, events };
  const home = await open(join(place.loopxHome, "home.db"), HOME_SCHEMA);
  try {
    faults.push(...(await verifyIntegrity(home, "full")));
    const found = await home.read(findRegistryFaults);
    faults.push(...found.map(({ table, problem, count }) => `home, ${table}: ${count} ${problem}`));
  } finally {
    await home.close();
  }
  return { faults, events };
}

function open(path: string, migrations: typeof PROJECT_SCHEMA): Promise<Database> {
  const options = { path, label: "store", access: "write", journal: "rollback", migrations } as const;
  return openSqlite({ ...options, now: () => toInstant(Date.now()) });
}
