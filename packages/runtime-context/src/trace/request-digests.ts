import { toCanonicalJson } from "@loopx/contracts";
import { BINDING_LIMITS } from "../binding/binding-schema.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { ProviderLookup } from "../providers/provider-outcome.ts";

/** A request as it is sent, in canonical order: what a request digest covers. */
export function toRequestText({ provider, key, value, limit }: ProviderLookup): string {
  return toCanonicalJson({ capability: "lookup", contract: "context-provider.v1", key, limit, provider, value });
}

/**
 * Every digest that a request for this value can have in a trace: under each key that isn't destroyed, with each limit that a
 * build and a binding may have allowed then.
 */
export function listRequestDigests(ring: KeyRing, lookup: Omit<ProviderLookup, "limit">): readonly string[] {
  const limits = Array.from({ length: BINDING_LIMITS.maxItems.most }, (_, index) => index + 1);
  const texts = limits.map((limit) => toRequestText({ ...lookup, limit }));
  return ring.liveKeyIds.flatMap((keyId) => {
    const underKey = ring.under(keyId);
    return texts.map((text) => underKey.keyedDigest("context.provider.v1/request", text));
  });
}
