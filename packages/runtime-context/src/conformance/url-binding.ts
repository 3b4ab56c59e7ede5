import { LoopxError } from "@loopx/contracts";
import { BINDING_LIMITS } from "../binding/binding-schema.ts";
import type { HttpProviderBinding } from "../binding/deployment-binding.ts";
import { parseProviderUrl } from "../binding/url-policy.ts";

/** How a provider at a URL would be bound, with the limits that a binding has unless it says others. */
export function toUrlBinding(text: string): HttpProviderBinding {
  const parsed = parseProviderUrl(text, []);
  if ("refused" in parsed) {
    throw new LoopxError("invalid_value", {
      message: `the provider's URL ${parsed.refused}`,
      hint: "for example http://127.0.0.1:8787/context",
      details: { field: "url" },
    });
  }
  const { timeoutMs, maxBytes, maxItems, itemBytes } = BINDING_LIMITS;
  return {
    type: "http",
    url: parsed.url,
    secret: null,
    allowAddresses: [],
    timeoutMs: timeoutMs.default,
    maxBytes: maxBytes.default,
    maxItems: maxItems.default,
    itemBytes: itemBytes.default,
    maxAgeSeconds: null,
    retention: "none",
  };
}
