// Turns a second of one, two and four `context serve` over one PostgreSQL store, as ratios to one of them. Everything that takes part
// shares the machine: provider, server, load and replicas. A part of `npm run bench`, and alone:
//
//   node bench/replicas.mjs
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "undici";
import { root, say } from "../scripts/prepare-checkout.mjs";
import { bindTo, prepareDesk, startCrm } from "../scripts/support-desk.mjs";
import { median } from "./context-numbers.mjs";
import { startBenchPostgres } from "./start-bench-postgres.mjs";

const ROUNDS = 5;
const WINDOW_MS = 2_000;
/** Beyond what a provider takes at a time lookups are refused: 32 in each replica. */
const CONNECTIONS = 16;
const COUNTS = [1, 2, 4];
const CLI = join(root, "packages", "loopx", "bin", "loopx.cjs");
const BODY = JSON.stringify({
  objective: "answer-ticket",
  consumer: "support-agent",
  inputs: { customerId: "CUST-1042" },
});

if (process.argv[1] === import.meta.filename) process.stdout.write(`${(await benchReplicas()).join("\n")}\n`);

/** The figures as lines of Markdown, for one Node. */
export async function benchReplicas(node = process.execPath) {
  const place = mkdtempSync(join(tmpdir(), "loopx-bench-replicas-"));
  const project = join(place, "desk");
  const env = { ...process.env, HOME: place, CRM_TOKEN: "crm-credential" };
  prepareDesk(project);
  const postgres = await startBenchPostgres(place);
  const crm = await startCrm({ project, env }, 0);
  bindTo(project, crm.url);
  const desk = { node, project, env: { ...env, LOOPX_BENCH_PASSWORD: new URL(postgres.url).password } };
  call(desk, ["build", "--project=project", "--output=builds"]);
  const onServer = [`--store=${withoutPassword(postgres.url)}`, "--store-password=env:LOOPX_BENCH_PASSWORD"];
  const replicas = [];
  try {
    for (let count = 0; count < Math.max(...COUNTS); count += 1) replicas.push(await startReplica(desk, onServer));
    const onFile = await startReplica(desk, ["--store=traces"]);
    replicas.push(onFile);
    say(`replicas: ${ROUNDS} interleaved rounds …`);
    const cases = [[onFile], ...COUNTS.map((count) => replicas.slice(0, count))];
    const [file, ...counted] = await measureThroughput(cases);
    const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim().slice(1);
    return [
      `### Replicas over one PostgreSQL store, Node ${version}`,
      "",
      `Provider, database, load and replicas share ${cpus().length} cores; traces are best effort, and none was lost.`,
      "",
      "| replicas | turns a second ÷ one replica |",
      "|---|---:|",
      ...COUNTS.map((count, at) => {
        const first = at === 0 ? ` (${Math.round(counted[0])} turns a second)` : "";
        return `| ${count}${first} | ${(counted[at] / counted[0]).toFixed(2)} |`;
      }),
      `| 1 with its traces in a file | ${(file / counted[0]).toFixed(2)} |`,
      "",
    ];
  } finally {
    for (const replica of replicas) await replica.stop();
    await crm.stop();
    await postgres.stop();
    rmSync(place, { recursive: true, force: true });
  }
}

function withoutPassword(url) {
  const address = new URL(url);
  address.password = "";
  return address.href;
}

function call({ node, project, env }, words) {
  const { status, stdout, stderr } = spawnSync(node, [CLI, "context", ...words], {
    cwd: project,
    env,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`loopx context ${words[0]} ended with ${status}: ${stdout}${stderr}`);
}

async function startReplica({ node, project, env }, store) {
  const words = ["serve", "--build=builds/current", "--binding=deployment/context-binding.json", "--port=0", ...store];
  const child = spawn(node, [CLI, "context", ...words], { cwd: project, env, stdio: ["ignore", "ignore", "pipe"] });
  const url = await new Promise((resolve, reject) => {
    let talk = "";
    child.stderr.setEncoding("utf8").on("data", (text) => {
      talk += text;
      const found = /"url":"([^"]+)"/.exec(talk)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", () => reject(new Error(`a replica did not start: ${talk}`)));
  });
  // What it logs is not kept.
  child.stderr.removeAllListeners("data").resume();
  const pool = new Pool(url, { connections: CONNECTIONS });
  return {
    pool,
    async stop() {
      await pool.destroy();
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Turns a second, medians of rounds in which each case has its window in turn. */
async function measureThroughput(cases) {
  const samples = cases.map(() => []);
  // The first round compiles and is not counted.
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [at, replicas] of cases.entries()) {
      const count = await sendFor(WINDOW_MS, replicas);
      if (round >= 0) samples[at].push((count / WINDOW_MS) * 1_000);
    }
  }
  for (const { pool } of new Set(cases.flat())) await assertNoneLost(pool);
  return samples.map(median);
}

/** As many requests are under way whatever the number of replicas. */
async function sendFor(durationMs, replicas) {
  const until = performance.now() + durationMs;
  let count = 0;
  const work = async (at) => {
    const { pool } = replicas[at % replicas.length];
    while (performance.now() < until) {
      const { statusCode, body } = await pool.request({
        method: "POST",
        path: "/v1/turns",
        headers: { "content-type": "application/json" },
        body: BODY,
      });
      const text = await body.text();
      if (statusCode !== 200 || text.includes('"BLOCKED"')) throw new Error(`${statusCode}: ${text.slice(0, 300)}`);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, at) => work(at)));
  return count;
}

async function assertNoneLost(pool) {
  const { body } = await pool.request({ method: "GET", path: "/v1/providers" });
  const { traces } = await body.json();
  const lost = traces.lost_count ?? traces.lostCount;
  if (lost !== 0) throw new Error(`${lost} traces were lost`);
}
