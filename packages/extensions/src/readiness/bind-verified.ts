import { toRuntimeBinding, type RuntimeBinding } from "../dispatch/runtime-binding.ts";
import { findEntrypoint } from "../entrypoint/entrypoint-identity.ts";
import type { ActiveExtension } from "../lifecycle/extension.ts";

/** The binding of an extension whose program is the one that its doctor verified for the revision in use. */
export function bindVerified({ extension, revision }: ActiveExtension): RuntimeBinding | undefined {
  if (extension.verified_revision !== extension.active_revision) return undefined;
  const found = findEntrypoint(revision.entrypoint, revision.folder);
  if (found.kind !== "found" || found.identity !== extension.verified_identity) return undefined;
  return toRuntimeBinding(revision, found);
}
