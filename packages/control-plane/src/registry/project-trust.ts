import { refuse, type Refusal } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import { findProjectById } from "./registry-rows.ts";

/**
 * Refuses to act on a store that this machine has no reason to trust.
 *
 * Trusted is a store that was created here or that an owner connected, found where it was registered. A cloned
 * folder that carries a store is not; a moved one has to be connected again.
 */
export async function checkProjectTrust(
  homeTx: Transaction,
  project: { readonly projectId: string; readonly root: string },
): Promise<Refusal | undefined> {
  const known = await findProjectById(homeTx, project.projectId);
  if (known?.root === project.root) return undefined;
  return refuse("project_not_trusted", {
    message:
      known === undefined
        ? "this store was not created on this machine and no owner connected it"
        : "this machine knows the project under another path",
    hint: "loopx connect",
  });
}
