import type { ProviderBinding } from "../binding/deployment-binding.ts";
import type { LookupAnswer } from "./answer/lookup-answer.ts";
import type { ProviderClock } from "./provider-clock.ts";
import type { ProviderFault } from "./provider-fault.ts";
import type { DescribeOutcome, ProviderOutcome } from "./provider-outcome.ts";

export interface PendingOutcome {
  answered(answer: LookupAnswer & Pick<ProviderOutcome, "versionSource">, attempts: number): ProviderOutcome;
  failed(fault: ProviderFault, attempts: number): ProviderOutcome;
}

const NOTHING = { items: [], currentness: "UNKNOWN", revision: null, version: null, versionSource: null } as const;

/** Begins to measure one lookup; the outcome is stamped when it is made. */
export function startOutcome(providerType: ProviderOutcome["providerType"], clock: ProviderClock): PendingOutcome {
  const startedMs = clock.monotonicMs();
  const stamp = (): Pick<ProviderOutcome, "providerType" | "observedAt" | "durationMs"> => ({
    providerType,
    observedAt: clock.now(),
    // Whole milliseconds: a finer figure would tell a reader of traces which record was looked up.
    durationMs: Math.round(clock.monotonicMs() - startedMs),
  });
  return {
    answered: (answer, attempts) => ({ status: "OK", reason: null, ...answer, ...stamp(), attempts }),
    failed: (fault, attempts) => ({ ...NOTHING, ...fault, ...stamp(), attempts }),
  };
}

/** The outcome of a lookup that no client was asked for. */
export function toUncalledOutcome(fault: ProviderFault, clock: ProviderClock): ProviderOutcome {
  return startOutcome(null, clock).failed(fault, 0);
}

/** The version that the operator states, where nobody else does. */
export function toBoundVersion({ version }: ProviderBinding): Pick<ProviderOutcome, "version" | "versionSource"> {
  return version === undefined ? { version: null, versionSource: null } : { version, versionSource: "binding" };
}

export function toReady(version: string | null, clock: ProviderClock): DescribeOutcome {
  return { isReady: true, status: "OK", reason: null, version, observedAt: clock.now() };
}

export function toNotReady(fault: ProviderFault, clock: ProviderClock): DescribeOutcome {
  return { isReady: false, ...fault, version: null, observedAt: clock.now() };
}
