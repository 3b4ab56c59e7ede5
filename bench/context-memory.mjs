// How much the process grows at its peak while 64 calls are in flight, in bytes per call.
import { createAddressPolicy } from "../packages/runtime-context/src/binding/address-policy.ts";
import { Secret } from "../packages/runtime-context/src/binding/secret.ts";
import { createHttpProviderClient } from "../packages/runtime-context/src/providers/http/http-provider-client.ts";
import { CLOCK, openBenchDeployment, TOKEN } from "./context-world.mjs";

const CALLS = 64;
const [port, value] = process.argv.slice(2);

const { build, binding } = await openBenchDeployment(port);
const [requirement] = build.manifest.providers;
const bound = binding.providers["customer-data"];
const policy = createAddressPolicy(bound);
const client = createHttpProviderClient(requirement, bound, {
  clock: CLOCK,
  policy,
  secret: new Secret(TOKEN),
  maxInFlight: CALLS,
});
const callAll = (asked, count) =>
  Promise.all(
    Array.from({ length: count }, () =>
      client.lookup(
        { provider: "customer-data", key: "customerId", value: asked, limit: 100 },
        { remainingMs: 10_000 },
      ),
    ),
  );

await callAll("small", CALLS);
await callAll("large", 4);
globalThis.gc();
const before = process.memoryUsage.rss();
const outcomes = await callAll(value, CALLS);
const peak = process.resourceUsage().maxRSS * 1024;
const statuses = [...new Set(outcomes.map(({ status, reason }) => [status, reason].filter(Boolean).join(" ")))];
process.send({ bytes: Math.max(0, peak - before) / CALLS, statuses });
