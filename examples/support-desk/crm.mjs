// A small CRM that speaks context-provider.v1 on loopback. Invented records; no dependency.
//
//   CRM_TOKEN=… node crm.mjs [--port=8787] [--slow=PROVIDER]
//
// --port=0 takes a free port; the first line on stdout is the URL. --slow makes every lookup of one provider take five
// seconds, which is longer than its binding waits.
import { createServer } from "node:http";
import { parseArgs } from "node:util";

const CONTRACT = "context-provider.v1";
const VERSION = "5.0.1";
const SLOW_MS = 5_000;
const MAX_REQUEST_BYTES = 16_384;

const RECORDS = {
  "customer-data": {
    "CUST-1042": [
      {
        id: "CUST-1042",
        title: "Current account state",
        content: "Invented customer on the Enterprise plan since 2024. Prefers short answers.",
        metadata: { plan: "Enterprise" },
        updatedAt: "2026-10-08",
      },
    ],
    "CUST-2077": [
      { id: "CUST-2077", content: "Invented customer on the Starter plan.", metadata: { plan: "Starter" } },
    ],
  },
  "ticket-history": {
    "CUST-1042": [
      { id: "TICKET-311", title: "Late parcel", content: "Asked about a late parcel; answered within a day." },
      { id: "TICKET-298", title: "Invoice copy", content: "Asked for a copy of an invoice; sent by post." },
    ],
  },
};

const { values: options } = parseArgs({
  options: { port: { type: "string", default: "8787" }, slow: { type: "string" } },
});
const token = process.env.CRM_TOKEN;
if (!token) {
  process.stderr.write("crm: set CRM_TOKEN to the secret that callers must send\n");
  process.exit(2);
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy());
});
server.listen(Number(options.port), "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}/context\n`);
});
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(0));

async function answer(request, response) {
  if (request.method !== "POST" || request.url !== "/context") return send(response, 404, {});
  if (request.headers.authorization !== `Bearer ${token}`) return send(response, 401, {});
  const call = await readJson(request);
  if (call?.contract !== CONTRACT) return send(response, 400, {});
  if (call.capability === "describe") {
    return send(response, 200, { contract: CONTRACT, version: VERSION, capabilities: ["describe", "lookup"] });
  }
  if (call.provider === options.slow) await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
  const items = RECORDS[call.provider]?.[call.value]?.slice(0, call.limit);
  // No record of this value: 404 says so, and is no failure.
  if (items === undefined) return send(response, 404, {});
  return send(response, 200, {
    contract: CONTRACT,
    version: VERSION,
    revision: "crm-r9",
    currentness: "CURRENT",
    items,
  });
}

async function readJson(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_REQUEST_BYTES) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return undefined;
  }
}

function send(response, status, document) {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(document));
}
