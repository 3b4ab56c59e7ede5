import type { ProviderClock } from "../providers/provider-clock.ts";
import type { DescribeOutcome } from "../providers/provider-outcome.ts";
import type { Deployment } from "../turn/deployment.ts";

export interface ProviderReadiness extends DescribeOutcome {
  readonly provider: string;
  readonly type: "http" | "sqlite" | null;
}

/** How long an answer of `describe` stands before it is asked again. */
const STANDS_MS = 5_000;

/**
 * Asks every provider to describe itself, at most once in five seconds however often it is polled.
 *
 * A provider that does not answer makes readiness false and never fails a turn by itself (facts 2.3, 7).
 */
export class Readiness {
  readonly #clock: ProviderClock;
  #of: Deployment | undefined;
  #askedMs = 0;
  #answer: Promise<readonly ProviderReadiness[]> | undefined;

  constructor(clock: ProviderClock) {
    this.#clock = clock;
  }

  check(deployment: Deployment): Promise<readonly ProviderReadiness[]> {
    const isStale = this.#clock.monotonicMs() - this.#askedMs > STANDS_MS;
    if (this.#answer === undefined || isStale || this.#of !== deployment) {
      this.#of = deployment;
      this.#askedMs = this.#clock.monotonicMs();
      this.#answer = describeAll(deployment, this.#clock);
    }
    return this.#answer;
  }
}

async function describeAll(deployment: Deployment, clock: ProviderClock): Promise<readonly ProviderReadiness[]> {
  return Promise.all(
    deployment.build.manifest.providers.map(async ({ id }): Promise<ProviderReadiness> => {
      const client = deployment.clients.get(id);
      const type = deployment.binding.providers[id]?.type ?? null;
      if (client === undefined) {
        const observedAt = clock.now();
        return { provider: id, type, isReady: false, status: "NOT_BOUND", reason: null, version: null, observedAt };
      }
      return { provider: id, type, ...(await client.describe()) };
    }),
  );
}
