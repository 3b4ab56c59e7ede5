import type { Ambient } from "@loopx/contracts";
import type { Database, Transaction } from "@loopx/store";
import { parseStoredJson } from "../events/entity-table.ts";
import { EXPORTED_TABLES } from "../transfer/exported-tables.ts";
import { findRegisteredGoal } from "./registry-rows.ts";

/** Those of the goal ids that another project on this machine has already. */
export async function listTakenGoalIds(
  home: Database,
  goalIds: readonly string[],
  projectId: string | null,
): Promise<readonly string[]> {
  return home.read(async (tx) => {
    const taken: string[] = [];
    for (const goalId of goalIds) {
      const registered = await findRegisteredGoal(tx, goalId);
      if (registered !== undefined && registered.project_id !== projectId) taken.push(goalId);
    }
    return taken;
  });
}

/**
 * Gives goals of a copied store ids of their own, in one transaction, history included.
 *
 * Without it the copy would take the goals of the project it was copied from out of the home's registry.
 */
export async function renameGoals(
  project: Database,
  goalIds: readonly string[],
  ambient: Pick<Ambient, "newId">,
): Promise<void> {
  if (goalIds.length === 0) return;
  await project.write(async (tx) => {
    for (const goalId of goalIds) await renameGoal(tx, goalId, `${goalId}-${ambient.newId("g").slice(-4)}`);
  });
}

async function renameGoal(tx: Transaction, from: string, to: string): Promise<void> {
  for (const table of EXPORTED_TABLES) await tx.run(`UPDATE ${table} SET goal_id = ? WHERE goal_id = ?`, to, from);
  // The images of events carry the id too, and the history is read from them.
  await tx.run("UPDATE events SET entity_id = ? WHERE goal_id = ? AND entity = 'goal'", to, to);
  const images = await tx.all<{ seq: number; image: string }>("SELECT seq, image FROM events WHERE goal_id = ?", to);
  for (const { seq, image } of images) {
    const entity = parseStoredJson(image);
    if (typeof entity !== "object" || entity === null || !("goal_id" in entity)) continue;
    const renamed = JSON.stringify({ ...entity, goal_id: to });
    await tx.run("UPDATE events SET image = ? WHERE goal_id = ? AND seq = ?", renamed, to, seq);
  }
}
