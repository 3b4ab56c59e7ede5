// CPU of a server per request: every round sends the same number of requests to each case in turn.
import { Pool } from "undici";
import { median } from "./context-numbers.mjs";

/** A provider takes 32 calls at a time; one more is refused as BUSY. */
const CONNECTIONS = 24;

/** Each case has a started server, a request body and a count; the answer is microseconds of CPU per request. */
export async function measureRequests(rounds, cases) {
  const pools = cases.map(({ server }) => new Pool(`http://127.0.0.1:${server.ready}`, { connections: CONNECTIONS }));
  const samples = cases.map(() => []);
  // The first two rounds compile and are not counted.
  for (let round = -2; round < rounds; round += 1) {
    for (const [at, one] of cases.entries()) {
      const before = await one.server.ask("cpu");
      await sendAll(pools[at], one);
      const used = (await one.server.ask("cpu")) - before;
      if (round >= 0) samples[at].push(used / one.count);
    }
  }
  await Promise.all(pools.map((pool) => pool.destroy()));
  return samples.map(median);
}

async function sendAll(pool, { body, count }) {
  let left = count;
  const headers = { "content-type": "application/json" };
  const work = async () => {
    while (left > 0) {
      left -= 1;
      const { statusCode, body: answer } = await pool.request({ method: "POST", path: "/v1/turns", headers, body });
      const text = await answer.text();
      if (statusCode !== 200 || text.includes('"BLOCKED"')) throw new Error(`${statusCode}: ${text.slice(0, 400)}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
}
