import { LoopxError } from "@loopx/contracts";
import type { Database, Transaction } from "@loopx/store";

/** What a store says whose state is kept elsewhere now. */
export interface MovedMark {
  /** The server's URL without a password, or `file`: beside the project, on the machine that moved it. */
  readonly to: string;
  readonly projectId: string;
  /** When the project was made, which goes with it. */
  readonly createdAt: string;
  /** Of the rows that were moved. */
  readonly digest: string;
}

const MARK = "store.moved";

/** The mark of a store whose state was moved, or undefined. */
export async function findMovedMark(tx: Transaction): Promise<MovedMark | undefined> {
  const row = await tx.get<{ readonly value: string }>("SELECT value FROM settings WHERE name = ?", MARK);
  if (row === undefined) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `markAsMoved` and by nothing else
  return JSON.parse(row.value) as MovedMark;
}

/** Leaves the mark in a store that was emptied. It has no project any more, so nothing is read from it or written to it. */
export async function markAsMoved(tx: Transaction, mark: MovedMark): Promise<void> {
  await tx.run("INSERT INTO settings (name, value) VALUES (?, ?)", MARK, JSON.stringify(mark));
}

/** Makes a store that was filled the project's: from then on it is found. Does nothing where it is. */
export async function activateMoved(target: Database, { projectId, createdAt }: MovedMark): Promise<void> {
  await target.write(async (tx) => {
    const row = await tx.get("SELECT 1 AS found FROM project WHERE project_id = ?", projectId);
    if (row !== undefined) return;
    await tx.run("INSERT INTO project (project_id, created_at) VALUES (?, ?)", projectId, createdAt);
  });
}

/** When a store's project was made. */
export async function loadProjectCreatedAt(tx: Transaction): Promise<string> {
  const row = await tx.get<{ readonly created_at: string }>("SELECT created_at FROM project");
  return row?.created_at ?? "";
}

/** The refusal of a store whose state is elsewhere, with the way there. */
export function toMovedError({ to, projectId }: MovedMark): LoopxError {
  const finish = `where it was moved: loopx store copy '--to=${to}' --execute`;
  const join = `loopx connect '--store=${to}' '--project-id=${projectId}'`;
  return new LoopxError("store_moved", {
    message:
      to === "file"
        ? "this project's state was moved to a file on another machine, or is on its way there"
        : `this project's state was moved to ${to}, or is on its way there`,
    hint: to === "file" ? finish : `${finish}; elsewhere, once .loopx/store.json is moved away: ${join}`,
  });
}
