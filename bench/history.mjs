// What recall from session histories costs, and how often it finds the answer. A part of `npm run bench`, and alone:
//
//   node bench/history.mjs                    this Node, printed
//   node bench/history.mjs --megabytes=N      a smaller history than 368 MB
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { say } from "../scripts/prepare-checkout.mjs";
import { QUESTIONS } from "./history-questions.mjs";
import { createDraw, writeMessages, writeSession } from "./history-world.mjs";

const fromHere = (path) => fileURLToPath(new URL(path, import.meta.url));
const PROVIDER = fromHere("../packages/loopx/dist/extensions/session-history/provider.cjs");
const PRINT_PEAK = fromHere("print-peak.cjs");
const MEGABYTES = Number(process.argv.find((word) => word.startsWith("--megabytes="))?.slice(12) ?? 368);
const ROUNDS = 3;
const MIB = 1_048_576;

if (process.argv[1] === import.meta.filename) process.stdout.write(`${benchHistory().join("\n")}\n`);

/** The figures as lines of Markdown, for one Node. */
export function benchHistory(node = process.execPath) {
  const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim().slice(1);
  const home = mkdtempSync(join(tmpdir(), "loopx-bench-history-"));
  const lines = [`### Session history, Node ${version}`, "", "| what | figure |", "|---|---:|"];
  try {
    for (const host of ["codex", "claude-code"]) {
      say(`history ${version}: ${MEGABYTES} MB of ${host} …`);
      lines.push(...measureSize(node, home, host).map((cells) => `| ${cells.join(" | ")} |`));
    }
    say(`history ${version}: ${QUESTIONS.length} questions …`);
    lines.push(...measureRecall(node, home).map((cells) => `| ${cells.join(" | ")} |`));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
  return [...lines, ""];
}

function measureSize(node, home, host) {
  const planted = "The zebra ledger was closed.";
  writeSession(home, { host, sessionId: "large", bytes: MEGABYTES * 1e6, planted });
  const floorMs = median(Array.from({ length: ROUNDS }, () => runMeasured(node, ["-e", "0"], "", home).cpuMs));
  // A rare word, and one that stands in most messages.
  const runs = Array.from({ length: ROUNDS }, () => retrieve(node, home, `host-session:${host}:large`, "zebra kakaka"));
  if (runs[0].items[0]?.content !== planted) throw new Error("the planted message was not found");
  const cpuMs = median(runs.map((run) => run.cpuMs));
  const peak = Math.max(...runs.map((run) => run.peakBytes));
  const what = `one ${host} session of ${MEGABYTES} MB`;
  return [
    [`${what}: CPU of the provider ÷ \`node -e 0\` (${floorMs.toFixed(0)} ms)`, `${(cpuMs / floorMs).toFixed(1)} ×`],
    [`${what}: peak memory`, `${Math.round(peak / MIB)} MiB`],
    [`${what}: bytes of an answer of 8 items`, `${runs[0].bytes}`],
  ];
}

/** Each question's session holds every answer and made-up talk around them: only the words of the question tell them apart. */
function measureRecall(node, home) {
  const draw = createDraw(7);
  const answers = QUESTIONS.map(([, answer]) => answer);
  writeMessages(home, { host: "codex", sessionId: "labelled", messages: answers, between: 40, draw });
  const places = QUESTIONS.map(([question, answer]) => {
    const { items } = retrieve(node, home, "host-session:codex:labelled", question);
    return items.findIndex(({ content }) => content === answer);
  });
  const share = (most) => `${places.filter((place) => place >= 0 && place < most).length} of ${QUESTIONS.length}`;
  return [
    ["labelled questions whose answer is the first item", share(1)],
    ["labelled questions whose answer is among the first five", share(5)],
  ];
}

function retrieve(node, home, scope, query) {
  const request = {
    schema_version: "decision_context_advisory_retrieve_request_v0",
    operation: "retrieve",
    namespace: "bench",
    scope_ref: scope,
    query,
    query_summary: "a question",
    max_results: 8,
    timeout_seconds: 120,
    observed_at: "2026-12-01T00:00:00Z",
  };
  const run = runMeasured(node, [PROVIDER], JSON.stringify(request), home);
  return { ...run, bytes: Buffer.byteLength(run.stdout), items: JSON.parse(run.stdout).items };
}

function runMeasured(node, args, input, home) {
  const peakFile = join(home, "peak.json");
  const env = { PATH: process.env.PATH, HOME: home, LOOPX_BENCH_PEAK: peakFile };
  const options = { input, env, encoding: "utf8", maxBuffer: 4 * MIB };
  const { status, stdout } = spawnSync(node, [`--require=${PRINT_PEAK}`, ...args], options);
  if (status !== 0) throw new Error(`the provider ended with ${status}`);
  return { stdout, ...JSON.parse(readFileSync(peakFile, "utf8")) };
}

function median(values) {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)];
}
