import type { Transaction } from "@loopx/store";
import { FaultCount, type StateFault } from "../integrity/state-fault.ts";

/** Rows of the home that name what the home does not have. Each statement gives the number of them. */
const ORPHANS = [
  {
    table: "registered_goals",
    problem: "goals of a project that is missing",
    sql: "SELECT COUNT(*) AS faults FROM registered_goals WHERE project_id NOT IN (SELECT project_id FROM projects)",
  },
  {
    table: "registered_agents",
    problem: "lanes of a goal that is missing",
    sql: "SELECT COUNT(*) AS faults FROM registered_agents WHERE goal_id NOT IN (SELECT goal_id FROM registered_goals)",
  },
  {
    table: "registered_bindings",
    problem: "bindings of a lane that is missing",
    sql:
      "SELECT COUNT(*) AS faults FROM registered_bindings b WHERE NOT EXISTS (SELECT 1 FROM registered_agents a " +
      "WHERE a.goal_id = b.goal_id AND a.agent_id = b.agent_id)",
  },
] as const;

const TABLES = ["projects", "registered_goals", "registered_agents", "registered_bindings", "owner_tokens"] as const;

/** Lists what in a machine's home contradicts itself. Reads every row. */
export async function findRegistryFaults(tx: Transaction): Promise<readonly StateFault[]> {
  const faults = new FaultCount();
  const sequences = await tx.all("SELECT name, sequence FROM registry");
  if (sequences.length !== 1) faults.add("registry", "not one sequence number");
  for (const table of TABLES) await tx.all(`SELECT * FROM ${table}`);
  for (const { table, problem, sql } of ORPHANS) {
    const count = (await tx.get<{ faults: number }>(sql))?.faults ?? 0;
    for (let index = 0; index < count; index += 1) faults.add(table, problem);
  }
  return faults.list();
}
