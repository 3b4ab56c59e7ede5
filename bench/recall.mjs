// What a recall costs from the command line to its packet, and how late it ends when its provider never answers. A part of
// `npm run bench`, and alone:
//
//   node bench/recall.mjs                     this Node, printed
import { spawn } from "@lydell/node-pty";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { say } from "../scripts/prepare-checkout.mjs";
import { createBenchWorld } from "./bench-world.mjs";
import { median, quantile } from "./context-numbers.mjs";
import { createDraw, writeMessages } from "./history-world.mjs";
import { measureRatios } from "./measure-cpu.mjs";

const ROUNDS = 15;
const CALLS = 40;
const DEADLINE_MS = 1000;
const ANSWERS = 40;

const MANIFEST = `schema_version = "loopx_extension_manifest_v0"
id = "hangs"
version = "0.1.0"
requires_loopx_api = ">=1,<2"
permissions = ["decision_context.read"]
[runtime]
protocol = "decision_context_advisory_provider_v0"
entrypoint = "./hangs"
doctor_args = ["--doctor"]
required_permissions = ["decision_context.read"]
[[implements]]
capability_id = "decision-context"
protocol = "decision_context_advisory_provider_v0"
`;
const HANGS = '#!/bin/sh\n[ "$1" = --doctor ] && exit 0\ntrap "" TERM\nsleep 600 &\nwait\nsleep 600\n';

if (process.argv[1] === import.meta.filename) process.stdout.write(`${(await benchRecall()).join("\n")}\n`);

/** The figures as lines of Markdown, for one Node. */
export async function benchRecall(node = process.execPath) {
  const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim().slice(1);
  const place = mkdtempSync(join(tmpdir(), "loopx-bench-recall-"));
  try {
    const world = createBenchWorld(node, join(place, "recall"), { todos: 10, goals: 1, events: 0 });
    await takeIntoUse(node, place, world);
    say(`recall ${version}: ${ROUNDS} interleaved rounds …`);
    const { rows, floorMs } = measureRatios(node, ROUNDS, [
      { name: "short", prepare: () => callRecall(world, "session-history", [], "short") },
      { name: "long", prepare: () => callRecall(world, "session-history") },
      { name: "refused", prepare: () => callRecall(world, "absent") },
    ]);
    const [short, long, refused] = rows.map(({ ratio }) => `${ratio.toFixed(2)} ×`);
    say(`recall ${version}: ${CALLS} providers that hang …`);
    const { late, noise } = measureLateness(node, world);
    return [
      `### Recall, Node ${version}`,
      "",
      "| what | figure | budget |",
      "|---|---:|---:|",
      `| a recall end to end, from a session of 20 messages: CPU ÷ \`node -e 0\` (${floorMs.toFixed(0)} ms) | ${short} | ≤ 3.5 × |`,
      `| the same from a session of ${ANSWERS * 20} messages, half a megabyte | ${long} | |`,
      `| the same where no provider is installed | ${refused} | |`,
      `| a provider that hangs, deadline ${DEADLINE_MS} ms, ${CALLS} calls: what it adds over the deadline; median, p99, max | ${toFigures(late)} | ≤ 50 ms |`,
      `| beside each a recall that asks nobody: over their median | ${toFigures(noise)} | |`,
      `| load of the machine then, over one minute | ${(loadavg()[0] ?? 0).toFixed(1)} | |`,
      `| bytes of a packet with 8 items of 16,000 characters | ${measureBytes(node, world)} | ≤ 80,000 |`,
      "",
    ];
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** What recalls took over their deadline and over ones that ask nobody, and how far those spread: milliseconds of the wall clock. */
function measureLateness(node, world) {
  const time = (extensionId) => {
    const { argv, ...options } = callRecall(world, extensionId);
    const began = performance.now();
    spawnSync(node, argv, { ...options, input: "" });
    return performance.now() - began;
  };
  const pairs = Array.from({ length: CALLS }, () => [time("hangs"), time("absent")]);
  const unasked = median(pairs.map(([, absent]) => absent));
  return {
    late: pairs.map(([hanging]) => hanging - DEADLINE_MS - unasked),
    noise: pairs.map(([, absent]) => absent - unasked),
  };
}

function toFigures(samples) {
  return [median(samples), quantile(samples, 0.99), Math.max(...samples)].map((ms) => `${ms.toFixed(0)} ms`).join(", ");
}

function measureBytes(node, world) {
  const { argv, ...options } = callRecall(world, "session-history", ["--max-results=8"], "large");
  const { stdout } = spawnSync(node, argv, { ...options, encoding: "utf8", input: "" });
  if (JSON.parse(stdout).result_count !== 8) throw new Error("the large session did not give eight items");
  return Buffer.byteLength(stdout);
}

function callRecall(world, extensionId, words = [], session = "asked") {
  const profile = join(world.home, `${extensionId}.json`);
  const asked = [`--context-scope-ref=host-session:codex:${session}`, "--query=zebra kakaka"];
  const argv = ["decision-context", "recall-context", ...world.lane(), `--profile=${profile}`, ...asked, ...words];
  return world.call([...argv, ...(extensionId === "hangs" ? [`--timeout-seconds=${DEADLINE_MS / 1000}`] : [])]);
}

/** Three sessions, two extensions, and a profile for each of them and for one that is not installed. */
async function takeIntoUse(node, place, world) {
  const draw = createDraw(7);
  const messages = Array.from({ length: ANSWERS }, (_, at) => `The zebra ledger ${at} was closed.`);
  writeMessages(world.home, { host: "codex", sessionId: "asked", messages, between: 19, draw });
  writeMessages(world.home, { host: "codex", sessionId: "short", messages: messages.slice(0, 1), between: 19, draw });
  const large = Array.from({ length: 8 }, (_, at) => `zebra ${at} ${"kakaka ".repeat(2500)}`.slice(0, 16_000));
  writeMessages(world.home, { host: "codex", sessionId: "large", messages: large, between: 1, draw });
  const folder = join(place, "hangs");
  mkdirSync(folder);
  writeFileSync(join(folder, "extension.toml"), MANIFEST);
  writeFileSync(join(folder, "hangs"), HANGS);
  chmodSync(join(folder, "hangs"), 0o755);
  for (const source of ["--bundled=session-history", `--manifest=${folder}`]) {
    await runAsOwner(node, world.call(["extension", "install", source, "--execute"]));
  }
  for (const id of ["session-history", "hangs", "absent"]) {
    const file = [`--output=${join(world.home, `${id}.json`)}`, `--extension-id=${id}`];
    const { argv, ...options } = world.call([
      "decision-context",
      "init-profile",
      ...world.lane(),
      ...file,
      "--execute",
    ]);
    const { status } = spawnSync(node, argv, { ...options, input: "" });
    if (status !== 0) throw new Error(`init-profile ended with ${status}`);
  }
}

/** An owner has a terminal. */
async function runAsOwner(node, { argv, cwd, env }) {
  const terminal = spawn(node, argv, { cwd, env });
  const exitCode = await new Promise((done) => terminal.onExit((exit) => done(exit.exitCode)));
  if (exitCode !== 0) throw new Error(`the owner's command ended with ${exitCode}`);
}
