// `npm run bench`: what each hot command costs over `node -e 0` in the same run, small and large, and bytes per packet;
// then what the context runtime costs (`context.mjs`), recall from session
// histories (`history.mjs`), one recall as a whole (`recall.mjs`), the Workstation (`workstation.mjs`), a project on
// PostgreSQL (`server-store.mjs`), and replicas over one (`replicas.mjs`).
// Ratios are what counts: the machine's speed cancels out. CPU is user plus system time of the whole process.
//
//   npm run bench                     this Node, printed
//   npm run bench -- --node=PATH      another Node beside it
//   npm run bench -- --write          writes bench/RESULTS.md too
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { prepareCheckout, root, say } from "../scripts/prepare-checkout.mjs";
import { measureRatios } from "./measure-cpu.mjs";
import { createBenchWorld } from "./bench-world.mjs";
import { benchContext } from "./context.mjs";
import { createGlobalWorld } from "./global-world.mjs";
import { benchHistory } from "./history.mjs";
import { benchRecall } from "./recall.mjs";
import { benchRaces } from "./races.mjs";
import { benchReplicas } from "./replicas.mjs";
import { benchServerStore } from "./server-store.mjs";
import { benchWorkstation } from "./workstation.mjs";

/** What a host hands to its prompt hook. */
const ORDINARY_PROMPT = JSON.stringify({
  session_id: "3f0c2d9e-7c31-4d02-9b6e-2f1c0de9a7b4",
  cwd: "/home/someone/project",
  hook_event_name: "UserPromptSubmit",
  prompt: "Please look into why the login test fails on every third run and fix it.",
});
const OWN_PROMPT = ORDINARY_PROMPT.replace("Please look", "/loopx Please look");
const ROUNDS = Number(process.argv.find((word) => word.startsWith("--rounds="))?.slice(9) ?? 15);
const PROJECTS = 200;
const nodes = [
  process.execPath,
  ...process.argv.filter((word) => word.startsWith("--node=")).map((word) => word.slice(7)),
];

prepareCheckout();
const report = [];
for (const node of nodes) {
  report.push(
    ...(await benchNode(node)),
    ...(await benchContext(node)),
    ...benchHistory(node),
    ...(await benchRecall(node)),
    ...(await benchWorkstation(node)),
    ...(await benchServerStore(node)),
    ...(await benchReplicas(node)),
  );
}
const printed = `${report.join("\n")}\n`;
process.stdout.write(`\n${printed}`);
if (process.argv.includes("--write")) writeFileSync(join(root, "bench", "RESULTS.md"), toResults(printed));

async function benchNode(node) {
  const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim();
  const place = mkdtempSync(join(tmpdir(), "loopx-bench-"));
  try {
    say(`${version}: preparing worlds …`);
    const small = createBenchWorld(node, join(place, "small"), { todos: 10, goals: 1, events: 0 });
    const large = createBenchWorld(node, join(place, "large"), { todos: 5_000, goals: 200, events: 100_000 });
    const gated = createBenchWorld(node, join(place, "gated"), { todos: 5_000, goals: 1, events: 0, gates: 5_000 });
    say(`${version}: ${ROUNDS} interleaved rounds …`);
    const fast = measureRatios(node, ROUNDS, fastCommands(small));
    const hotSmall = measureRatios(node, ROUNDS, hotCommands(small));
    const hotLarge = measureRatios(node, ROUNDS, hotCommands(large));
    say(`${version}: views over ${PROJECTS} projects …`);
    const global = measureRatios(node, ROUNDS, globalViews(createGlobalWorld(node, join(place, "global"), PROJECTS)));
    const hotGated = measureRatios(node, ROUNDS, hotCommands(gated));
    say(`${version}: fifty processes at once …`);
    const races = await benchRaces(node);
    return [
      `## Node ${version.slice(1)}`,
      "",
      `\`node -e 0\`: ${hotSmall.floorMs.toFixed(0)} ms CPU (median of ${ROUNDS})`,
      "",
      "| command | × `node -e 0`, 10 todos | × `node -e 0`, 5,000 todos in one goal, 200 goals, 100,000 events | large ÷ small | 5,000 todos, each under a gate ÷ small |",
      "|---|---:|---:|---:|---:|",
      ...fast.rows.map((row) => `| ${row.name} | ${row.ratio.toFixed(2)} | | | |`),
      ...hotSmall.rows.map((row, at) => {
        const big = hotLarge.rows[at];
        const held = hotGated.rows[at];
        return `| ${row.name} | ${row.ratio.toFixed(2)} | ${big.ratio.toFixed(2)} | ${(big.cpuMs / row.cpuMs).toFixed(2)} | ${(held.cpuMs / row.cpuMs).toFixed(2)} |`;
      }),
      "",
      "| packet | bytes, 10 todos | bytes, 5,000 todos |",
      "|---|---:|---:|",
      ...packetRows(small, large),
      "",
      `| view over ${PROJECTS} projects | ÷ \`status\` of one project | budget |`,
      "|---|---:|---:|",
      ...global.rows.slice(1).map((row) => `| ${row.name} | ${(row.cpuMs / global.rows[0].cpuMs).toFixed(2)} | ≤ 4 |`),
      "",
      "| fifty processes at once | counted | must be |",
      "|---|---:|---:|",
      ...races.map((cells) => `| ${cells.join(" | ")} |`),
      "",
    ];
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

function fastCommands(world) {
  return [
    { name: "`--version`", prepare: () => world.call(["--version"]) },
    { name: "`--help`", prepare: () => world.call(["--help"]) },
    {
      name: "`hook`, an ordinary prompt",
      prepare: () => callHook(world, ORDINARY_PROMPT),
    },
    {
      name: "`hook`, a message of ours",
      prepare: () => callHook(world, OWN_PROMPT.replace("/home/someone/project", world.root)),
    },
  ];
}

/** As hosts call it: `hook` is the first word. */
function callHook(world, input) {
  const call = world.call(["hook", "claude-code"]);
  return { ...call, argv: call.argv.filter((word) => word !== "--format=json"), input };
}

/** Each round gets its own turn, todo and claim: nothing is measured twice on the same state. */
function hotCommands(world) {
  return [
    {
      name: "`quota should-run`, a turn minted",
      prepare: () => world.call(["quota", "should-run", ...world.freshLane()]),
    },
    {
      name: "`todo add`",
      prepare: () => world.call(["todo", "add", `--goal-id=${world.goal}`, `--text=Bench ${world.next()}`]),
    },
    {
      name: "`todo claim`",
      prepare: () => world.call(["todo", "claim", `--todo-id=${world.freshTodo()}`, ...world.lane()]),
    },
    {
      name: "`todo complete`",
      prepare: () =>
        world.call([
          "todo",
          "complete",
          `--todo-id=${world.freshTodo()}`,
          ...world.lane(),
          "--evidence=done and checked",
        ]),
    },
    { name: "`quota spend`", prepare: () => world.call(["quota", "spend", ...world.settledTurn()]) },
  ];
}

/** The read of one project first: the others are measured against it. */
function globalViews(world) {
  const views = ["global-summary", "global-gates", "global-todos", "global-risks"];
  return ["status", ...views].map((name) => ({ name: `\`${name}\``, prepare: () => world.call([name]) }));
}

function packetRows(small, large) {
  const packets = [
    ["should-run", (world) => ["quota", "should-run", ...world.freshLane()]],
    ["todo add", (world) => ["todo", "add", `--goal-id=${world.goal}`, `--text=Bench ${world.next()}`]],
    ["status", (world) => ["status", `--goal-id=${world.goal}`]],
    ["todo list", (world) => ["todo", "list", `--goal-id=${world.goal}`]],
    ["history", (world) => ["history", `--goal-id=${world.goal}`]],
  ];
  return packets.map(
    ([name, args]) => `| ${String(name)} | ${small.bytes(args(small))} | ${large.bytes(args(large))} |`,
  );
}

function toResults(text) {
  const machine = `${process.platform} ${process.arch}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  return [
    "# Benchmark results",
    "",
    `Written by \`npm run bench -- --write\` on ${new Date().toISOString().slice(0, 10)}, ${machine}, a shared virtual machine.`,
    "Quote the ratios: absolute times drift with the machine. CPU is user plus system time of the whole process; every",
    "round runs `node -e 0` and each command once, in turn. Budgets: a hot command at most 1.9 × `node -e 0` on Node 20 and",
    "2.1 × on 24; large at most 1.25 × small; `--help` and `--version` at most 1.3 × on 20 and 1.45 × on 24; `hook` at most 1.15 ×, with a message of ours at most 2 × on 20. Figures of the",
    "context runtime are medians of interleaved rounds with their goals beside them; CPU is that of the server's process alone.",
    // Node 20 reads these at every start, some 35 ms of CPU here; Node 24 when it first needs them.
    ...(process.env.NODE_EXTRA_CA_CERTS
      ? ["NODE_EXTRA_CA_CERTS was set: floor and commands of Node 20 include reading it."]
      : []),
    "",
    text,
  ].join("\n");
}
