import type { Ambient } from "@loopx/contracts";
import { createAddressPolicy } from "../binding/address-policy.ts";
import type { DeploymentBinding } from "../binding/deployment-binding.ts";
import { resolveSecret } from "../binding/secret-reference.ts";
import type { ContextBuild } from "../build/context-build.ts";
import { createKeyRing, type KeyRing } from "../keys/key-ring.ts";
import { parseKeyset } from "../keys/keyset.ts";
import type { ProviderRequirement } from "../project/context-project.ts";
import { createHttpProviderClient } from "../providers/http/http-provider-client.ts";
import type { ProviderClock } from "../providers/provider-clock.ts";
import type { ProviderClient } from "../providers/provider-outcome.ts";
import { createSqliteProviderClient } from "../providers/sqlite/sqlite-provider-client.ts";

/** A build and a binding that belong together, with a client for every provider that is bound. */
export interface Deployment {
  readonly build: ContextBuild;
  readonly binding: DeploymentBinding;
  readonly ring: KeyRing;
  readonly clients: ReadonlyMap<string, ProviderClient>;
  /** Ends connections and child processes; turns under way end as UNAVAILABLE. */
  close(): Promise<void>;
}

export interface DeploymentParts {
  readonly env: Ambient["env"];
  readonly clock: ProviderClock;
  /** Path of the bundled SQLite child. */
  readonly sqliteChild: string;
}

/**
 * Opens a deployment. Nothing is contacted yet: a provider that is down shows in its lookups and in `describe`.
 *
 * Refuses with what `resolveSecret` and `parseKeyset` refuse: without its secrets and keys a deployment does not start.
 */
export function openDeployment(build: ContextBuild, binding: DeploymentBinding, parts: DeploymentParts): Deployment {
  const ring = createKeyRing(parseKeyset(resolveSecret(binding.keyset, parts.env).reveal()), binding.id);
  const clients = new Map<string, ProviderClient>();
  for (const requirement of build.manifest.providers) {
    const client = openClient(requirement, binding, parts);
    if (client !== undefined) clients.set(requirement.id, client);
  }
  return {
    build,
    binding,
    ring,
    clients,
    close: async () => {
      await Promise.all([...clients.values()].map((client) => client.close()));
    },
  };
}

/** Undefined where the binding has no entry: lookups of that provider are NOT_BOUND. */
function openClient(
  requirement: ProviderRequirement,
  binding: DeploymentBinding,
  { env, clock, sqliteChild }: DeploymentParts,
): ProviderClient | undefined {
  const entry = Object.hasOwn(binding.providers, requirement.id) ? binding.providers[requirement.id] : undefined;
  switch (entry?.type) {
    case undefined:
      return undefined;
    case "http": {
      const secret = entry.secret === null ? null : resolveSecret(entry.secret, env);
      return createHttpProviderClient(requirement, entry, { clock, secret, policy: createAddressPolicy(entry) });
    }
    case "sqlite":
      return createSqliteProviderClient(requirement, entry, { clock, childEntry: sqliteChild });
  }
}
