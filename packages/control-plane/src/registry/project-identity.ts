import { parseProjectId, type Ambient } from "@loopx/contracts";
import type { Database, Transaction } from "@loopx/store";
import { id } from "../events/column-rule.ts";
import { takeStored } from "../events/entity-table.ts";
import { findMovedMark, toMovedError } from "../transfer/moved-state.ts";
import { saveProject } from "./registry-rows.ts";

/**
 * The random id that makes a store one project, wherever it lies; given once, to a store that has none.
 *
 * The home knows the id before the store has it: in the other order a kill in between would leave a store that no later
 * call may trust. An id that such a kill left unused is taken up again, also by another process that comes meanwhile.
 */
export async function registerNewProject(
  home: Database,
  project: Database,
  place: { readonly root: string; readonly label: string },
  ambient: Pick<Ambient, "now" | "newId">,
): Promise<string> {
  const wantedId = await home.write(async (homeTx) => {
    const raced = await project.read(findProjectId);
    if (raced !== undefined) return raced;
    const projectId = (await findUnusedProjectId(homeTx, place.root)) ?? ambient.newId("project");
    await saveProject(homeTx, {
      project_id: projectId,
      root: place.root,
      label: place.label,
      trusted_by: "created",
      connected_at: ambient.now(),
    });
    return projectId;
  });
  return ensureProjectId(project, wantedId, ambient);
}

/** Gives a store this id where it has none; returns the one it has then. */
export async function ensureProjectId(
  project: Database,
  wantedId: string,
  ambient: Pick<Ambient, "now">,
): Promise<string> {
  return project.write(async (tx) => {
    const raced = await findProjectId(tx);
    if (raced !== undefined) return raced;
    const moved = await findMovedMark(tx);
    if (moved !== undefined) throw toMovedError(moved);
    await tx.run("INSERT INTO project (project_id, created_at) VALUES (?, ?)", wantedId, ambient.now());
    return wantedId;
  });
}

async function findUnusedProjectId(homeTx: Transaction, root: string): Promise<string | undefined> {
  const row = await homeTx.get<{ project_id: string }>(
    "SELECT project_id FROM projects p WHERE root = ? AND trusted_by = 'created' AND NOT EXISTS " +
      "(SELECT 1 FROM registered_goals g WHERE g.project_id = p.project_id) ORDER BY connected_at DESC LIMIT 1",
    root,
  );
  return row?.project_id;
}

export async function findProjectId(tx: Transaction): Promise<string | undefined> {
  const row = await tx.get<{ project_id: string }>("SELECT project_id FROM project LIMIT 1");
  return row && takeStored(row.project_id, id(parseProjectId), { table: "project", column: "project_id" });
}

/** Gives a copied store an id of its own. */
export async function replaceProjectId(project: Database, ambient: Pick<Ambient, "now" | "newId">): Promise<string> {
  return project.write(async (tx) => {
    const projectId = ambient.newId("project");
    await tx.run("DELETE FROM project");
    await tx.run("INSERT INTO project (project_id, created_at) VALUES (?, ?)", projectId, ambient.now());
    return projectId;
  });
}
