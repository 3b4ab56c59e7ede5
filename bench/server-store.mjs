// What a command costs whose project lies on a PostgreSQL server, over a process that connects and asks for `SELECT 1`. By the
// clock: the server works in processes of its own. A part of `npm run bench`, and alone:
//
//   node bench/server-store.mjs
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, say } from "../scripts/prepare-checkout.mjs";
import { createBenchWorld } from "./bench-world.mjs";
import { measureRounds, median } from "./context-numbers.mjs";
import { startBenchPostgres } from "./start-bench-postgres.mjs";

const ROUNDS = 11;
const AT_ONCE = 16;
const FLOOR = `
const { Client } = require(${JSON.stringify(join(root, "node_modules", "pg"))});
const client = new Client({ connectionString: process.env.LOOPX_STORE_URL });
client.connect().then(() => client.query("SELECT 1")).then(() => client.end());`;

if (process.argv[1] === import.meta.filename) process.stdout.write(`${(await benchServerStore()).join("\n")}\n`);

/** The figures as lines of Markdown, for one Node. */
export async function benchServerStore(node = process.execPath) {
  const place = mkdtempSync(join(tmpdir(), "loopx-bench-server-"));
  const server = await startBenchPostgres(place);
  try {
    say(`a project on PostgreSQL: ${ROUNDS} interleaved rounds …`);
    const world = createBenchWorld(node, join(place, "world"), { todos: 1, goals: 1, events: 0 }, server.url);
    const one = await measureOne(node, world);
    const many = await measureAtOnce(node, world);
    return [
      `### A project on PostgreSQL, Node ${(await runProgram(node, { argv: ["--version"] })).trim().slice(1)}`,
      "",
      "By the clock; the floor is a Node process that connects with `pg`, asks for `SELECT 1` and ends. The server syncs what it commits.",
      "",
      "| what | ÷ the floor |",
      "|---|---:|",
      ...one.rows.map(({ name, ratio }) => `| ${name} (floor ${one.floorMs.toFixed(0)} ms) | ${ratio.toFixed(2)} |`),
      ...many.rows.map(({ name, ratio }) => `| ${name} (floor ${many.floorMs.toFixed(0)} ms) | ${ratio.toFixed(2)} |`),
      "",
    ];
  } finally {
    await server.stop();
    rmSync(place, { recursive: true, force: true });
  }
}

async function measureOne(node, world) {
  const { argv: _argv, ...place } = world.call([]);
  const cases = [
    { name: "`quota should-run`, a turn minted", prepare: () => ["quota", "should-run", ...world.freshLane()] },
    { name: "`quota should-run`, the turn resumed", prepare: () => ["quota", "should-run", ...world.lane()] },
    { name: "`todo add`", prepare: () => ["todo", "add", `--goal-id=${world.goal}`, `--text=Add ${world.next()}`] },
    { name: "`todo claim`", prepare: () => ["todo", "claim", ...world.freshLane(), `--todo-id=${world.freshTodo()}`] },
    { name: "`quota spend`", prepare: () => ["quota", "spend", ...world.settledTurn()] },
    { name: "`status`", prepare: () => ["status"] },
  ];
  const { floorMs, medians } = await measurePrepared(node, { ...place, argv: ["-e", FLOOR] }, cases, world);
  return { floorMs, rows: cases.map(({ name }, at) => ({ name, ratio: medians[at] / floorMs })) };
}

/** Medians of interleaved rounds; what a call needs is made right before it, and not counted. */
async function measurePrepared(node, floor, cases, world) {
  const calls = [
    () => floor,
    ...cases.map(
      ({ prepare }) =>
        () =>
          world.call(prepare()),
    ),
  ];
  const samples = calls.map(() => []);
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [at, callOf] of calls.entries()) {
      const call = callOf();
      const began = performance.now();
      await runProgram(node, call);
      if (round >= 0) samples[at].push(performance.now() - began);
    }
  }
  const [floorMs, ...medians] = samples.map(median);
  return { floorMs, medians };
}

/** Processes that start at once: until the last of them has ended. */
async function measureAtOnce(node, world) {
  const { argv: _argv, ...place } = world.call([]);
  const lanes = Array.from({ length: AT_ONCE }, () => world.freshLane());
  const todos = Array.from({ length: ROUNDS + 1 }, () => world.freshTodo());
  const atOnce = (callOf) =>
    Promise.all(Array.from({ length: AT_ONCE }, (_, index) => runProgram(node, callOf(index), "any")));
  const winners = [];
  const [floorMs, adds, claims] = await measureRounds(ROUNDS, [
    () => atOnce(() => ({ ...place, argv: ["-e", FLOOR] })),
    () => atOnce(() => world.call(["todo", "add", `--goal-id=${world.goal}`, `--text=Add ${world.next()}`])),
    async () => {
      const todo = `--todo-id=${todos.shift()}`;
      const answers = await atOnce((index) => world.call(["todo", "claim", ...lanes[index], todo]));
      winners.push(answers.filter((answer) => JSON.parse(answer).ok).length);
    },
  ]);
  if (winners.some((count) => count !== 1)) throw new Error(`a claim had ${winners.join(", ")} winners`);
  const rows = [
    { name: `${AT_ONCE} \`todo add\` at once ÷ as many floors`, ratio: adds / floorMs },
    {
      name: `${AT_ONCE} \`todo claim\` of one todo at once, one winner each time ÷ as many floors`,
      ratio: claims / floorMs,
    },
  ];
  return { floorMs, rows };
}

function runProgram(node, { argv, cwd, env }, exitCode = 0) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, argv, { cwd, env, stdio: ["ignore", "pipe", "ignore"] });
    let text = "";
    child.stdout.on("data", (chunk) => (text += chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      if (exitCode === "any" || code === exitCode) resolve(text);
      else reject(new Error(`${argv.slice(1, 4).join(" ")} ended with ${code}: ${text}`));
    });
  });
}
