import { toLookupKey } from "../kernel/lookup-key.ts";
import type { PlannedLookup } from "../kernel/turn-plan.ts";
import { findLookupValueFault } from "./lookup-value.ts";
import type { ProviderClock } from "./provider-clock.ts";
import type { ProviderClient, ProviderLookup, ProviderOutcome } from "./provider-outcome.ts";
import { toUncalledOutcome } from "./start-outcome.ts";

export interface CallProvidersOptions {
  /** What is left of the turn. */
  readonly turnDeadlineMs: number;
  /** Calls at a time; 4 when left out. */
  readonly concurrency?: number;
  readonly clock: ProviderClock;
}

/**
 * The outcome of every planned lookup by `toLookupKey`, each called at most once.
 *
 * NOT_BOUND without a client, INVALID_REQUEST for a value that may not be sent, NOT_EVALUATED for what had not begun
 * when the turn's time was spent. No outcome changes what else is called. Never throws.
 */
export async function callProviders(
  lookups: readonly PlannedLookup[],
  clients: ReadonlyMap<string, ProviderClient>,
  { turnDeadlineMs, concurrency = 4, clock }: CallProvidersOptions,
): Promise<ReadonlyMap<string, ProviderOutcome>> {
  if (lookups.length === 0) return new Map();
  const endsMs = clock.monotonicMs() + turnDeadlineMs;
  const planned = new Map(lookups.map((lookup) => [toLookupKey(lookup.provider, lookup.value), lookup]));
  const outcomes = new Map<string, ProviderOutcome>();
  const waiting = planned.entries();
  const work = async (): Promise<void> => {
    // The lanes share the iterator: each takes what no other has begun.
    for (const [key, lookup] of waiting) {
      outcomes.set(key, await callOne(lookup, clients.get(lookup.provider), { endsMs, clock }));
    }
  };
  const laneCount = Math.min(planned.size, Math.max(1, concurrency));
  await (laneCount === 1 ? work() : Promise.all(Array.from({ length: laneCount }, work)));
  return laneCount === 1 ? outcomes : inOrderOf(planned, outcomes);
}

/** In the plan's order, whichever was answered first. */
function inOrderOf(
  planned: ReadonlyMap<string, PlannedLookup>,
  outcomes: ReadonlyMap<string, ProviderOutcome>,
): ReadonlyMap<string, ProviderOutcome> {
  const ordered = new Map<string, ProviderOutcome>();
  for (const key of planned.keys()) {
    const outcome = outcomes.get(key);
    if (outcome !== undefined) ordered.set(key, outcome);
  }
  return ordered;
}

async function callOne(
  { provider, input, value, limit }: PlannedLookup,
  client: ProviderClient | undefined,
  { endsMs, clock }: { readonly endsMs: number; readonly clock: ProviderClock },
): Promise<ProviderOutcome> {
  if (client === undefined) return toUncalledOutcome({ status: "NOT_BOUND", reason: null }, clock);
  const fault = findLookupValueFault(value);
  if (fault !== undefined) return toUncalledOutcome(fault, clock);
  const remainingMs = endsMs - clock.monotonicMs();
  if (remainingMs <= 0) return toUncalledOutcome({ status: "NOT_EVALUATED", reason: "TURN_DEADLINE" }, clock);
  const lookup: ProviderLookup = { provider, key: input, value, limit };
  try {
    return await client.lookup(lookup, { remainingMs });
  } catch {
    // A fault of ours. The message is not passed on: it could quote anything.
    return toUncalledOutcome({ status: "UNAVAILABLE", reason: "CLIENT_FAILED" }, clock);
  }
}
