import { isLoopxError } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import { findActiveExtension, listActiveExtensions } from "../lifecycle/extension-rows.ts";
import { bindVerified } from "./bind-verified.ts";
import { decideReadiness, type ResolvedProvider } from "./decide-readiness.ts";
import { toUnreadableReadiness, type ProviderNeed } from "./provider-readiness.ts";
import type { ActiveExtension } from "../lifecycle/extension.ts";

/**
 * The provider that serves a need, or why there is none. Reads the home's store and the programs' files; starts nothing.
 *
 * Without a home there is no extension. What the store cannot tell is `extension_state_unavailable`; it never throws for that.
 */
export async function resolveProvider(tx: Transaction | undefined, need: ProviderNeed): Promise<ResolvedProvider> {
  try {
    const extensions = tx === undefined ? [] : await loadExtensions(tx, need.extensionId);
    const candidates = extensions.map((active) => ({ ...active, bindVerified: () => bindVerified(active) }));
    return decideReadiness(candidates, need);
  } catch (error) {
    if (!isLoopxError(error) || !error.code.startsWith("store_")) throw error;
    return { readiness: toUnreadableReadiness(need) };
  }
}

async function loadExtensions(tx: Transaction, extensionId: string | undefined): Promise<readonly ActiveExtension[]> {
  if (extensionId === undefined) return listActiveExtensions(tx);
  const named = await findActiveExtension(tx, extensionId);
  return named === undefined ? [] : [named];
}
