import type { Ambient } from "@loopx/contracts";
import type { Database, Transaction } from "@loopx/store";

/** The random id that makes a store one project, wherever it lies; given once, under the write lock. */
export async function ensureProjectId(project: Database, ambient: Pick<Ambient, "now" | "newId">): Promise<string> {
  const existing = await project.read(findProjectId);
  if (existing !== undefined) return existing;
  return project.write(async (tx) => {
    const raced = await findProjectId(tx);
    if (raced !== undefined) return raced;
    const projectId = ambient.newId("project");
    await tx.run("INSERT INTO project (project_id, created_at) VALUES (?, ?)", projectId, ambient.now());
    return projectId;
  });
}

export async function findProjectId(tx: Transaction): Promise<string | undefined> {
  const row = await tx.get<{ project_id: string }>("SELECT project_id FROM project LIMIT 1");
  return row?.project_id;
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
