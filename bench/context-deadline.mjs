// How late a lookup ends when its provider never answers, beside a bare timer of the same length.
import { setTimeout as wait } from "node:timers/promises";
import { quantile } from "./context-numbers.mjs";
import { openBenchDeployment } from "./context-world.mjs";

const TIMEOUT_MS = 50;
const LANES = 10;
const [port, count] = process.argv.slice(2).map(Number);

const deployment = await openBenchDeployment(port, { timeoutMs: TIMEOUT_MS });
const client = deployment.clients.get("customer-data");
const lookup = { provider: "customer-data", key: "customerId", value: "never", limit: 1 };
await client.lookup(lookup, { remainingMs: 10_000 });

const overshoots = { ours: [], timer: [] };
const measure = async (samples, work) => {
  const began = performance.now();
  await work();
  samples.push(performance.now() - began - TIMEOUT_MS);
};
// Lanes begin apart, so that no two deadlines pass at once.
await Promise.all(
  Array.from({ length: LANES }, async (_, lane) => {
    await wait((lane * TIMEOUT_MS) / LANES);
    for (let round = 0; round < count / LANES; round += 1) {
      await measure(overshoots.ours, () => client.lookup(lookup, { remainingMs: 10_000 }));
      // Ten failures without an answer in between would open the client's circuit.
      await client.lookup({ ...lookup, value: "small" }, { remainingMs: 10_000 });
      if (round % 5 === 0) await measure(overshoots.timer, () => wait(TIMEOUT_MS));
    }
  }),
);
process.send(
  Object.fromEntries(
    Object.entries(overshoots).map(([name, samples]) => [
      name,
      { p50: quantile(samples, 0.5), p99: quantile(samples, 0.99), max: Math.max(...samples) },
    ]),
  ),
);
