// What the context runtime costs, as ratios within one run. A part of `npm run bench`, and alone:
//
//   node bench/context.mjs                    this Node, printed
//   node bench/context.mjs --rounds=N         more or fewer interleaved rounds
//   node bench/context.mjs --only=cpu,build   some of: cpu, deadline, memory, blocks, search, build, tests
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { say } from "../scripts/prepare-checkout.mjs";
import { bundleContextPrograms, runProgram, startProgram } from "./context-bundle.mjs";
import { measureRequests } from "./context-load.mjs";

const MIB = 1_048_576;
const PARTS = { cpu, deadline, memory, blocks, search, build, tests };
const readFlag = (name) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const ROUNDS = Number(readFlag("rounds") ?? 7);
const ONLY = readFlag("only")?.split(",") ?? Object.keys(PARTS);

if (process.argv[1] === import.meta.filename) process.stdout.write(`${(await benchContext()).join("\n")}\n`);

/** The figures as lines of Markdown, for one Node. */
export async function benchContext(node = process.execPath) {
  await bundleContextPrograms();
  const place = mkdtempSync(join(tmpdir(), "loopx-bench-context-"));
  const provider = await startProgram(node, "provider");
  const world = { node, place, provider: provider.ready };
  const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim().slice(1);
  const lines = [`### Runtime context, Node ${version}`, "", "| what | figure | goal |", "|---|---:|---:|"];
  try {
    for (const name of ONLY) {
      say(`context ${version}: ${name} …`);
      const rows = await PARTS[name](world);
      lines.push(...rows.map((cells) => `| ${cells.join(" | ")} |`));
    }
  } finally {
    await provider.stop();
    rmSync(place, { recursive: true, force: true });
  }
  return [...lines, ""];
}

async function cpu({ node, place, provider }) {
  const kinds = ["echo", "proxy", "turn", "stored"];
  const servers = await Promise.all(kinds.map((kind) => startProgram(node, "server", [kind, provider.port, place])));
  const [echo, proxy, turn, stored] = servers;
  const small = toTurn("answer-ticket", { customerId: "small" });
  const large = toTurn("answer-ticket", { customerId: "large" });
  const none = toTurn("write-report", {});
  try {
    const [bareNone, oursNone, bareSmall, oursSmall, storedSmall, bareLarge, oursLarge] = await measureRequests(
      ROUNDS,
      [
        { server: echo, body: none, count: 3000 },
        { server: turn, body: none, count: 3000 },
        { server: proxy, body: small, count: 2000 },
        { server: turn, body: small, count: 2000 },
        { server: stored, body: small, count: 2000 },
        { server: proxy, body: large, count: 600 },
        { server: turn, body: large, count: 600 },
      ],
    );
    return [
      [`turn without a provider ÷ hono echo (${bareNone.toFixed(0)} µs)`, times(oursNone / bareNone), "≤ 2.3 ×"],
      [
        `turn, one HTTP provider, 0.8 KB ÷ hono + undici (${bareSmall.toFixed(0)} µs)`,
        times(oursSmall / bareSmall),
        "≤ 2.3 ×",
      ],
      ["the same with every trace written to SQLite", times(storedSmall / bareSmall), ""],
      [`turn, 64 KiB of content ÷ hono + undici (${bareLarge.toFixed(0)} µs)`, times(oursLarge / bareLarge), "≤ 3 ×"],
    ];
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

async function deadline({ node, provider }) {
  const { ours, timer } = await runProgram(node, "deadline", [provider.port, 1000]);
  return [
    ["lookup that is never answered, 1,000 times: overshoot of 50 ms, p50 / p99 / max", spread(ours), "p99 ≤ 10 ms"],
    ["a bare timer beside it", spread(timer), ""],
  ];
}

async function memory({ node, provider }) {
  const rows = [];
  for (const [value, name] of [
    ["gzip-bomb", "200 MiB gzip bombs"],
    ["oversize", "3 MiB bodies"],
    ["legitimate-mib", "legitimate answers of 1 MiB"],
  ]) {
    const { bytes, statuses } = await runProgram(node, "memory", [provider.port, value]);
    rows.push([
      `memory a call, 64 in flight, ${name} (${statuses.join(", ")})`,
      `${(bytes / MIB).toFixed(2)} MiB`,
      "≤ 2 MiB",
    ]);
  }
  return rows;
}

async function blocks({ node, provider }) {
  const found = await runProgram(node, "blocks", [provider.port, ROUNDS, ...provider.values]);
  return found.map(({ name, answer, blockMs }) => [
    `event loop held by ${name} (${answer})`,
    `${ms(blockMs)} ms`,
    "≤ 10 ms",
  ]);
}

async function search({ node, place, provider }) {
  const { rawMs, ours, http } = await runProgram(node, "search", [provider.port, ROUNDS, place]);
  return [
    [
      `search by provider and status over 100,000 traces ÷ the bare statement (${(rawMs * 1000).toFixed(0)} µs)`,
      times(ours),
      "≤ 3 ×",
    ],
    ["the same through `GET /v1/traces`, without a socket", times(http), ""],
  ];
}

async function build({ node, place }) {
  const found = await runProgram(node, "build", [ROUNDS, place]);
  return [
    [
      `build of 1,000 layers, 5 MiB ÷ read, JSON.parse and SHA-256 (${ms(found.bareMs)} ms)`,
      times(found.build),
      "≤ 5 ×",
    ],
    ["loading that build, verified", times(found.load), ""],
  ];
}

async function tests({ node }) {
  const found = await runProgram(node, "tests", [ROUNDS]);
  return [
    ["fixture tests a second and core, two providers each", found.testsPerSecond.toFixed(0), "≥ 5,000"],
    [`the same ÷ a test without a provider (${found.planUs.toFixed(0)} µs)`, times(found.toPlainTest), ""],
    [`the same ÷ a settled turn without a provider, traced (${found.turnUs.toFixed(0)} µs)`, times(found.toTurn), ""],
    ["regression of 1,000 tests on two builds, each of them changed", `${found.regressMs.toFixed(0)} ms CPU`, ""],
  ];
}

function toTurn(objective, inputs) {
  return JSON.stringify({ objective, consumer: "support-agent", profile: "support", inputs });
}

function spread({ p50, p99, max }) {
  return `${ms(p50)} / ${ms(p99)} / ${ms(max)} ms`;
}

function times(ratio) {
  return `${ratio.toFixed(2)} ×`;
}

function ms(value) {
  return value.toFixed(1);
}
