// What the Workstation costs: bytes of its page, CPU of its server for one overview, and how long somebody waits for the
// first goal to be on the screen. A part of `npm run bench`, and alone:
//
//   node bench/workstation.mjs
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Pool } from "undici";
import { root, say } from "../scripts/prepare-checkout.mjs";
import { serveWorkstation, startChromium } from "../scripts/serve-workstation.mjs";
import { createBenchWorld } from "./bench-world.mjs";
import { bundleContextPrograms, startProgram } from "./context-bundle.mjs";
import { median } from "./context-numbers.mjs";
import { createGlobalWorld } from "./global-world.mjs";

const ROUNDS = 5;
const PAINTS = 5;
const GOALS = 200;
const QUIET_SECONDS = 5;
/** The kernel counts CPU in these. */
const TICK_MS = 10;

if (process.argv[1] === import.meta.filename) process.stdout.write(`${(await benchWorkstation()).join("\n")}\n`);

/** The figures as lines of Markdown, for one Node. */
export async function benchWorkstation(node = process.execPath) {
  const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim().slice(1);
  const place = mkdtempSync(join(tmpdir(), "loopx-bench-workstation-"));
  try {
    const one = createBenchWorld(node, join(place, "one"), { todos: 10, goals: 1, events: 0 });
    const full = createBenchWorld(node, join(place, "full"), { todos: 5_000, goals: GOALS, events: 100_000 });
    const many = createGlobalWorld(node, join(place, "many"), GOALS);
    say(`workstation: ${ROUNDS} interleaved rounds …`);
    const cpu = await measureOverviews(node, [one, full, many]);
    say(`workstation: ${PAINTS} first visits …`);
    const [paintFull, paintMany] = [await measurePaint(node, full), await measurePaint(node, many)];
    const [oneCpu, fullCpu, manyCpu] = cpu.ours.map((ms) => `${(ms / cpu.echoMs).toFixed(0)} × (${ms.toFixed(1)} ms)`);
    const inOne = `${GOALS} goals and 5,000 todos in one project`;
    return [
      `### The Workstation, Node ${version}`,
      "",
      "| what | figure | budget |",
      "|---|---:|---:|",
      `| page, gzipped | ${Math.round(countPageBytes() / 1024)} KiB | ≤ 200 |`,
      `| CPU of one overview ÷ one hono echo (${cpu.echoMs.toFixed(2)} ms): one goal | ${oneCpu} | |`,
      `| the same: ${inOne} | ${fullCpu} | |`,
      `| the same: ${GOALS} projects | ${manyCpu} | |`,
      `| CPU of a quiet second while a page listens, ${GOALS} projects | ${cpu.quietMs.toFixed(0)} ms | ≤ 50 |`,
      `| first goal on the screen after opening the page: ${inOne} | ${paintFull} | |`,
      `| the same: ${GOALS} projects | ${paintMany} | |`,
      "",
    ];
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function countPageBytes() {
  const folder = join(root, "packages", "loopx", "dist", "workstation");
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + gzipSync(readFileSync(join(entry.parentPath, entry.name)), { level: 9 }).length, 0);
}

/** Milliseconds of CPU per request, medians of rounds in which each server is asked in turn. */
async function measureOverviews(node, worlds) {
  const echo = await startEcho(node);
  const servers = [];
  for (const world of worlds) servers.push(await signIn(await serveWorkstation({ node, ...placeOf(world) })));
  const asked = [100, 5, 1];
  const samples = { echo: [], ours: servers.map(() => []) };
  for (let round = -1; round < ROUNDS; round += 1) {
    const echoMs = await echo.measure(2_000);
    if (round >= 0) samples.echo.push(echoMs);
    for (const [at, server] of servers.entries()) {
      const before = readCpuMs(server.pid);
      for (let count = 0; count < asked[at]; count += 1) await server.get("/api/overview");
      if (round >= 0) samples.ours[at].push((readCpuMs(server.pid) - before) / asked[at]);
    }
  }
  const quietMs = await measureQuiet(servers.at(-1));
  for (const server of servers) await server.stop();
  await echo.stop();
  return { echoMs: median(samples.echo), ours: samples.ours.map(median), quietMs };
}

async function measureQuiet(server) {
  const listening = new AbortController();
  const stream = await fetch(`${server.url}/api/events`, { headers: server.headers, signal: listening.signal });
  await stream.body.getReader().read();
  await pause(1_000);
  const before = readCpuMs(server.pid);
  await pause(QUIET_SECONDS * 1_000);
  const used = readCpuMs(server.pid) - before;
  listening.abort();
  return used / QUIET_SECONDS;
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** The same bare server that context turns are measured over. */
async function startEcho(node) {
  await bundleContextPrograms();
  const program = await startProgram(node, "server", ["echo"]);
  const pool = new Pool(`http://127.0.0.1:${program.ready}`, { connections: 1 });
  const headers = { "content-type": "application/json" };
  return {
    measure: async (count) => {
      const before = await program.ask("cpu");
      for (let sent = 0; sent < count; sent += 1) {
        const { body } = await pool.request({ method: "POST", path: "/v1/turns", headers, body: '{"a":1}' });
        await body.text();
      }
      return ((await program.ask("cpu")) - before) / 1_000 / count;
    },
    stop: async () => {
      await pool.destroy();
      await program.stop();
    },
  };
}

async function signIn(server) {
  const token = new URL(server.link).hash.slice("#token=".length);
  const headers = { origin: server.url, "content-type": "application/json" };
  const answer = await fetch(`${server.url}/api/session`, { method: "POST", headers, body: JSON.stringify({ token }) });
  const cookie = (answer.headers.get("set-cookie") ?? "").split(";")[0];
  const pool = new Pool(server.url, { connections: 1 });
  const get = async (path) => {
    const { statusCode, body } = await pool.request({ method: "GET", path, headers: { cookie } });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text.slice(0, 200)}`);
  };
  const stop = async () => {
    await pool.destroy();
    await server.stop();
  };
  return { ...server, headers: { cookie }, get, stop };
}

/** Milliseconds from opening the page, signed in, to the first goal being drawn; the browser keeps nothing between visits. */
async function measurePaint(node, world) {
  const browser = await startChromium();
  if (browser === undefined) return "not measured: no Chromium";
  const server = await serveWorkstation({ node, ...placeOf(world) });
  try {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(server.link);
    await page.getByRole("navigation").waitFor();
    await page.addInitScript(() => {
      const look = () => {
        if (document.querySelector('main a[href^="/goals/"]') === null) requestAnimationFrame(look);
        else requestAnimationFrame(() => (globalThis.paintedMs = performance.now()));
      };
      look();
    });
    const session = await context.newCDPSession(page);
    await session.send("Network.setCacheDisabled", { cacheDisabled: true });
    const samples = [];
    for (let visit = 0; visit < PAINTS; visit += 1) {
      await page.goto(`${server.url}/`);
      const painted = await page.waitForFunction(() => globalThis.paintedMs, undefined, { timeout: 60_000 });
      samples.push(await painted.jsonValue());
    }
    return `${median(samples).toFixed(0)} ms`;
  } finally {
    await browser.close();
    await server.stop();
  }
}

function placeOf(world) {
  const { cwd, env } = world.call([]);
  return { cwd, env };
}

/** User and system time of a process (proc(5), fields 14 and 15). */
function readCpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
