// A search over 100,000 traces beside the statement it stands on, prepared once. The store is grown by SQL from one trace.
import { createRequire } from "node:module";
import { join } from "node:path";
import { toSearchStatement } from "../packages/runtime-context/src/trace/trace-search.ts";
import { runTurn } from "../packages/runtime-context/src/index.ts";
import { measureRounds } from "./context-numbers.mjs";
import { CLOCK, createBenchApi, openBenchDeployment, openBenchTraces } from "./context-world.mjs";

const COUNT = 100_000;
const SEARCHES = 200;
const [port, rounds, place] = process.argv.slice(2);
const path = join(place, "search.db");

const deployment = await openBenchDeployment(port);
await growStore();
const traces = await openBenchTraces(path, deployment.ring);
const api = createBenchApi(deployment, traces);
const database = openDatabase();
const query = { provider: "customer-data", providerStatus: "TIMEOUT", limit: 50 };
const { sql, parameters } = toSearchStatement(query);
const statement = database.prepare(sql);
const repeat = async (work) => {
  for (let at = 0; at < SEARCHES; at += 1) await work();
};
const page = await traces.search(query);
if (page.traces.length !== 50 || page.nextCursor === null) throw new Error("the search doesn't find what it should");

const [raw, ours, http] = await measureRounds(Number(rounds), [
  () => repeat(async () => statement.all(...parameters)),
  () => repeat(() => traces.search(query)),
  () =>
    repeat(async () => {
      const search = "provider=customer-data&providerStatus=TIMEOUT";
      await (await api.fetch(new Request(`http://127.0.0.1/v1/traces?${search}`))).text();
    }),
]);
process.send({ rawMs: raw / SEARCHES, ours: ours / raw, http: http / raw });

async function growStore() {
  const store = await openBenchTraces(path, deployment.ring);
  const request = {
    objective: "answer-ticket",
    consumer: "support-agent",
    profile: null,
    inputs: { customerId: "small" },
  };
  const parts = { clock: CLOCK, newTraceId: () => "trace_1", traces: store, turnDeadlineMs: 10_000 };
  await runTurn(deployment, request, parts);
  await store.close();
  const grown = openDatabase();
  grown.exec(`CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT})
    SELECT i FROM n`);
  grown.exec("BEGIN");
  copyFirstRow(grown, "traces", { trace_id: "'trace_' || i", sequence: "i" });
  // One in ten timed out.
  copyFirstRow(grown, "trace_providers", { status: "CASE WHEN i % 10 = 0 THEN 'TIMEOUT' ELSE status END" });
  copyFirstRow(grown, "trace_layers", {});
  grown.exec("COMMIT");
  grown.close();
}

/** Every row of the first trace once more for each further position. */
function copyFirstRow(target, table, changed) {
  const columns = target
    .prepare(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map(({ name }) => name);
  const values = columns.map((name) => ({ position: "i", ...changed })[name] ?? name);
  target.exec(
    `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${values.join(", ")} FROM n, ${table} WHERE position = 1`,
  );
}

function openDatabase() {
  const require = createRequire(import.meta.url);
  const sqlite = process.getBuiltinModule("node:sqlite");
  return sqlite === undefined ? new (require("better-sqlite3"))(path) : new sqlite.DatabaseSync(path);
}
