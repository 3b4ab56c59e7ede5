import { createAddressPolicy } from "../binding/address-policy.ts";
import type { HttpProviderBinding } from "../binding/deployment-binding.ts";
import { startDeadline } from "../providers/deadline.ts";
import {
  callProvider,
  createEndpoint,
  type ProviderReply,
  type RevealableSecret,
} from "../providers/http/provider-call.ts";
import { resolveHost } from "../providers/http/resolve-host.ts";
import { createVettedConnector } from "../providers/http/vetted-connector.ts";
import type { ProviderClock } from "../providers/provider-clock.ts";

/** What came of one request, and how long it took. */
export interface Probed {
  readonly reply: ProviderReply;
  readonly durationMs: number;
}

/** Sends requests of any content to one provider, with the rules and bounds of a turn's lookups. */
export interface ProviderProbe {
  /** `credential` in place of the bound one; null sends none. */
  send(body: string, credential?: string | null): Promise<Probed>;
  close(): Promise<void>;
}

export interface ProbeParts {
  readonly clock: ProviderClock;
  readonly secret: RevealableSecret | null;
}

/** One call at a time is all that a probe makes. */
const MOST_IN_FLIGHT = 2;

/** Opens connections to the bound URL. What a turn would refuse, an address or a redirect, is refused here too. */
export async function openProviderProbe(binding: HttpProviderBinding, parts: ProbeParts): Promise<ProviderProbe> {
  const { clock, secret } = parts;
  const { openConnectionPool } = await import("../providers/http/connection-pool.ts");
  const url = new URL(binding.url);
  const policy = createAddressPolicy(binding);
  const pool = openConnectionPool(url.origin, createVettedConnector({ url, policy, resolveHost }), MOST_IN_FLIGHT);
  return {
    async send(body, credential) {
      const revealed = credential === undefined ? secret : credential === null ? null : { reveal: () => credential };
      const beganMs = clock.monotonicMs();
      const deadline = startDeadline(binding.timeoutMs, binding.timeoutMs, clock);
      const reply = await callProvider(pool, createEndpoint(binding, revealed), body, deadline);
      return { reply, durationMs: clock.monotonicMs() - beganMs };
    },
    close: () => pool.destroy(),
  };
}
