import { LoopxError } from "@loopx/contracts";
import { hasGoalsAtRoot } from "@loopx/control-plane";
import type { Database } from "@loopx/store";
import { hasStore } from "./project-roots.ts";

export function toMissingStoreError(): LoopxError {
  return new LoopxError("store_missing", {
    message: "the project is registered on this machine but its store is gone; restore its newest backup in its folder",
    hint: "loopx restore --execute",
  });
}

/**
 * Checks that a folder which has no store is none whose store is gone: an empty one in its place would hide its goals,
 * and its backups behind those of the new one. Refuses with `store_missing`.
 */
export async function assertStoreNotGone(home: Database | undefined, root: string): Promise<void> {
  const hasGoals = await home?.read((tx) => hasGoalsAtRoot(tx, root));
  // Looked for second: whoever registered the goals meanwhile had made the store before.
  if (hasGoals === true && !hasStore(root)) throw toMissingStoreError();
}
