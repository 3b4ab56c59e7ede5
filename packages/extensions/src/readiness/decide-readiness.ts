import type { RuntimeBinding } from "../dispatch/runtime-binding.ts";
import type { ActiveExtension } from "../lifecycle/extension.ts";
import type { ExtensionManifest } from "../manifest/manifest.ts";
import { toReadiness, type ProviderNeed, type ProviderReadiness } from "./provider-readiness.ts";

/** Readiness and the binding that goes with it: both from the same look. A binding is there exactly when it is `ready`. */
export interface ResolvedProvider {
  readonly readiness: ProviderReadiness;
  readonly binding?: RuntimeBinding;
}

/** An installed extension, and how its program is bound if it is still the one its doctor verified. */
export interface ProviderCandidate extends ActiveExtension {
  readonly bindVerified: () => RuntimeBinding | undefined;
}

/**
 * Which extension serves a need. The one that is named, whatever others there are; without a name the only one that is
 * ready, so that one which is disabled or stale never makes it ambiguous.
 */
export function decideReadiness(candidates: readonly ProviderCandidate[], need: ProviderNeed): ResolvedProvider {
  if (need.extensionId !== undefined) return decideNamed(candidates, need, need.extensionId);
  const implementers = candidates.filter(({ revision }) => doesImplement(revision.manifest, need));
  const decided = implementers.map((candidate) => decideOne(candidate, need));
  const ready = decided.filter(({ binding }) => binding !== undefined);
  const [only] = ready.length > 0 ? ready : decided;
  if (only === undefined) return toUnready("extension_provider_not_installed", [false, false, false]);
  if (ready.length > 1) return toUnready("extension_provider_ambiguous", [true, true, true]);
  if (ready.length === 1 || decided.length === 1) return only;
  const isAnyEnabled = implementers.some(({ extension }) => extension.enabled);
  return toUnready("extension_provider_not_ready", [true, isAnyEnabled, false]);
}

function toUnready(
  status: "extension_provider_not_installed" | "extension_provider_ambiguous" | "extension_provider_not_ready",
  facts: readonly [boolean, boolean, boolean],
): ResolvedProvider {
  return { readiness: toReadiness(status, undefined, facts) };
}

function decideNamed(
  candidates: readonly ProviderCandidate[],
  need: ProviderNeed,
  extensionId: string,
): ResolvedProvider {
  const candidate = candidates.find(({ extension }) => extension.extension_id === extensionId);
  if (candidate === undefined) {
    return { readiness: toReadiness("extension_not_installed", extensionId, [false, false, false]) };
  }
  return decideOne(candidate, need);
}

function decideOne(candidate: ProviderCandidate, need: ProviderNeed): ResolvedProvider {
  const { extension, revision } = candidate;
  const { extension_id: id, enabled } = extension;
  const { manifest } = revision;
  if (!doesImplement(manifest, need)) {
    const isVerified = enabled && candidate.bindVerified() !== undefined;
    return { readiness: toReadiness("extension_incompatible", id, [true, enabled, isVerified]) };
  }
  if (!enabled) return { readiness: toReadiness("extension_disabled", id, [true, false, false]) };
  const binding = candidate.bindVerified();
  if (binding === undefined) return { readiness: toReadiness("extension_doctor_not_ready", id, [true, true, false]) };
  if (!isPermitted(manifest, need)) {
    return { readiness: toReadiness("extension_incompatible", id, [true, true, true]) };
  }
  return { readiness: toReadiness("ready", id, [true, true, true]), binding };
}

function doesImplement({ implementations }: ExtensionManifest, need: ProviderNeed): boolean {
  return implementations.some(
    ({ capability_id: capabilityId, protocol }) => capabilityId === need.capabilityId && protocol === need.protocol,
  );
}

function isPermitted({ provider, runtime }: ExtensionManifest, { permission, protocol }: ProviderNeed): boolean {
  return (
    provider.permissions.includes(permission) &&
    runtime.required_permissions.includes(permission) &&
    runtime.protocol === protocol
  );
}
