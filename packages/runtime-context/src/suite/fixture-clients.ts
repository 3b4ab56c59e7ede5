import type { ContextBuild } from "../build/context-build.ts";
import { indexBuild } from "../kernel/build-index.ts";
import type { PlannedLookup, TurnPlan } from "../kernel/turn-plan.ts";
import type { ProviderFixture } from "../project/context-project.ts";
import { createFixtureProviderClient } from "../providers/fixture/fixture-provider-client.ts";
import type { ProviderClock } from "../providers/provider-clock.ts";
import type { ProviderClient } from "../providers/provider-outcome.ts";

/** What a lookup is answered with, or undefined where there is no fixture for it. */
export type FindLookupFixture = (lookup: Pick<PlannedLookup, "provider" | "value">) => ProviderFixture | undefined;

/** A client for every provider that a plan asks. */
export function createFixtureClients(
  build: ContextBuild,
  { lookups }: TurnPlan,
  { find, clock }: { readonly find: FindLookupFixture; readonly clock: ProviderClock },
): ReadonlyMap<string, ProviderClient> {
  const { providers } = indexBuild(build);
  const clients = new Map<string, ProviderClient>();
  for (const { provider } of lookups) {
    const requirement = providers.get(provider);
    // A plan names no provider that the build lacks.
    if (requirement === undefined) continue;
    const client = createFixtureProviderClient(requirement, (value) => find({ provider, value }), clock);
    clients.set(provider, client);
  }
  return clients;
}
