import { onTestFinished } from "vitest";
import { createAddressPolicy } from "../../../src/binding/address-policy.ts";
import type { HttpProviderBinding } from "../../../src/binding/deployment-binding.ts";
import { Secret } from "../../../src/binding/secret.ts";
import { createHttpProviderClient, type HttpClientParts } from "../../../src/providers/http/http-provider-client.ts";
import type { ProviderClient } from "../../../src/providers/provider-outcome.ts";
import { CLOCK, REQUIREMENT } from "../provider-cases.ts";

/** Each character class that a form of reflection treats on its own. */
export const TOKEN = "tk/live+9Qz~7Hq2_Wm4Xv8Bn1";

export const BINDING: HttpProviderBinding = {
  type: "http",
  url: "http://127.0.0.1:1/lookup",
  secret: null,
  timeoutMs: 10_000,
  maxBytes: 65_536,
  maxItems: 100,
  itemBytes: 4096,
  allowAddresses: [],
  maxAgeSeconds: null,
  retention: "digest",
};

/** A client that is closed when the test is. */
export function openClient(
  url: string,
  binding: Partial<HttpProviderBinding> = {},
  parts: Partial<HttpClientParts> = {},
): ProviderClient {
  const bound = { ...BINDING, ...binding, url };
  const policy = createAddressPolicy(bound);
  const client = createHttpProviderClient(REQUIREMENT, bound, {
    clock: CLOCK,
    secret: new Secret(TOKEN),
    policy,
    ...parts,
  });
  onTestFinished(() => client.close());
  return client;
}

export const ANSWER = {
  contract: "context-provider.v1",
  version: "5.0.1",
  revision: "crm-r9",
  currentness: "CURRENT",
  items: [
    {
      id: "CUST-1042",
      title: "Current account state",
      content: "Renewal is due in March.",
      metadata: { plan: "Enterprise" },
      updatedAt: "2026-10-08",
    },
  ],
};

/** A response with a JSON body, as bytes on the wire. */
export function toResponse(body: string, headers: readonly string[] = [], status = "200 OK"): string {
  const length = `content-length: ${Buffer.byteLength(body)}`;
  return [`HTTP/1.1 ${status}`, "content-type: application/json", length, ...headers, "", body].join("\r\n");
}

export const GOOD_RESPONSE = toResponse(JSON.stringify(ANSWER));
