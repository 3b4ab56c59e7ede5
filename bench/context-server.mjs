// A server of one kind in its own process: `echo` and `proxy` are the floors, `turn` and `stored` ours. Any message is
// answered with the CPU microseconds used so far.
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { Pool } from "undici";
import { startServer } from "../packages/runtime-context/src/index.ts";
import { createBenchApi, createMemoryTraces, openBenchDeployment, openBenchTraces, TOKEN } from "./context-world.mjs";

const [kind, providerPort, place] = process.argv.slice(2);
const port = kind === "echo" || kind === "proxy" ? await startBare() : await startOurs();
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send(user + system);
});
process.send(port);

function startBare() {
  const api = new Hono();
  if (kind === "echo") api.post("/v1/turns", async (context) => context.json(await context.req.json()));
  else api.post("/v1/turns", createProxy());
  return new Promise((resolve) => {
    const server = serve({ fetch: api.fetch, hostname: "127.0.0.1", port: 0 }, () => resolve(server.address().port));
  });
}

function createProxy() {
  const pool = new Pool(`http://127.0.0.1:${providerPort}`, { connections: 64 });
  const headers = { "content-type": "application/json", authorization: `Bearer ${TOKEN}` };
  return async (context) => {
    const { inputs } = await context.req.json();
    const body = JSON.stringify({ contract: "context-provider.v1", capability: "lookup", value: inputs.customerId });
    const answer = await pool.request({ method: "POST", path: "/context", headers, body });
    return context.json(await answer.body.json());
  };
}

async function startOurs() {
  const deployment = await openBenchDeployment(providerPort);
  const traces =
    kind === "stored" ? await openBenchTraces(join(place, "traces.db"), deployment.ring) : createMemoryTraces();
  const { url } = await startServer(createBenchApi(deployment, traces), { hostname: "127.0.0.1", port: 0 });
  return Number(new URL(url).port);
}
