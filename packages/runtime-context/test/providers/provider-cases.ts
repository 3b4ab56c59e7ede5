import { toInstant } from "@loopx/contracts";
import type { ProviderRequirement } from "../../src/project/context-project.ts";
import type { ProviderClock } from "../../src/providers/provider-clock.ts";
import type { ProviderLookup } from "../../src/providers/provider-outcome.ts";

/** Stands still on the wall, runs on for deadlines. */
export const CLOCK: ProviderClock = {
  now: () => toInstant(Date.UTC(2026, 9, 9, 12)),
  monotonicMs: () => performance.now(),
};

/** The seed's example. */
export const REQUIREMENT: ProviderRequirement = {
  id: "customer-data",
  name: "Customer data",
  lookup: { input: "customerId", pattern: "^CUST-[0-9]{4}$" },
  maxItems: 2,
};

export const LOOKUP: ProviderLookup = { provider: "customer-data", key: "customerId", value: "CUST-1042", limit: 2 };

/** A turn that has time enough: a test in which it hangs fails by the runner's own timeout. */
export const TURN = { remainingMs: 20_000 };
