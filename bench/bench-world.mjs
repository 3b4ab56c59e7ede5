// A project of a chosen size in a temporary folder, with its own home. Grown by SQL from one real row of each kind, since
// a hundred thousand commands would take hours.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { root } from "../scripts/prepare-checkout.mjs";

const cli = join(root, "packages", "loopx", "bin", "loopx.cjs");
const goal = "bench-goal";

/**
 * `size`: todos in the one goal, goals in the project, events of the goal; `gates`: undecided, each about a todo of its own.
 * With a `storeUrl` a server keeps the state, and nothing is grown: there is the one goal with its one todo.
 */
export function createBenchWorld(node, place, size, storeUrl) {
  const project = join(place, "project");
  const home = join(place, "home");
  mkdirSync(project, { recursive: true });
  mkdirSync(home, { recursive: true });
  const env = { ...cleanEnvironment(home), ...(storeUrl === undefined ? {} : { LOOPX_STORE_URL: storeUrl }) };
  const cwd = project;
  run("git", ["init", "--quiet", "."]);
  loopx(["bootstrap", `--goal-id=${goal}`, "--objective=Measure"]);
  loopx(["register-agent", `--goal-id=${goal}`, "--agent-id=bench", "--execute"]);
  const { todo } = loopx(["todo", "add", `--goal-id=${goal}`, "--text=Template", "--priority=P4"]);
  if (size.gates > 0) {
    loopx(["todo", "add", `--goal-id=${goal}`, "--text=May I?", "--task-class=user_gate", `--blocks=${todo.todo_id}`]);
  }
  if (storeUrl === undefined) grow(join(project, ".loopx", "state.db"), join(home, ".codex", "loopx", "home.db"), size);
  let count = 0;

  const world = {
    goal,
    root: project,
    home,
    next: () => (count += 1),
    lane: (agent = "bench") => [`--goal-id=${goal}`, `--agent-id=${agent}`],
    call: (argv) => ({ argv: [cli, "--format=json", ...argv], cwd, env }),
    bytes: (argv) => Buffer.byteLength(runCli(argv).stdout.trimEnd()),
    /** A lane of its own, so that should-run has to open a turn. */
    freshLane: () => {
      const agent = `lane-${(count += 1)}`;
      loopx(["register-agent", `--goal-id=${goal}`, `--agent-id=${agent}`, "--execute"]);
      return world.lane(agent);
    },
    freshTodo: () =>
      loopx(["todo", "add", `--goal-id=${goal}`, `--text=Fresh ${(count += 1)}`, "--priority=P4"]).todo.todo_id,
    settledTurn: () => {
      const lane = world.freshLane();
      const turn = `--turn=${loopx(["quota", "should-run", ...lane]).turn.turn_id}`;
      loopx(["refresh-state", ...lane, turn, "--outcome=progress", "--evidence=done"]);
      return [...lane, turn];
    },
  };
  return world;

  function loopx(argv) {
    const { status, stdout } = runCli(argv);
    if (status !== 0) throw new Error(`loopx ${argv.slice(0, 2).join(" ")} ended with ${status}: ${stdout}`);
    return JSON.parse(stdout);
  }

  function runCli(argv) {
    return spawnSync(node, [cli, "--format=json", ...argv], { cwd, env, encoding: "utf8", input: "" });
  }

  function run(program, argv) {
    const { status } = spawnSync(program, argv, { cwd, env });
    if (status !== 0) throw new Error(`${program} ended with ${status}`);
  }
}

function cleanEnvironment(home) {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(CLAUDE|CODEX_|CURSOR_|GEMINI_CLI|OPENCODE|AI_AGENT|LOOPX_)/.test(name),
  );
  return { ...Object.fromEntries(kept), HOME: home };
}

function grow(statePath, homePath, size) {
  const state = openStore(statePath);
  const others = { todo_id: "'todo_bench' || i", position: "10 + i", text: "'Bench todo ' || i" };
  copyRows(state, "todos WHERE task_class <> 'user_gate'", size.todos - 1, others);
  copyRows(state, "goals", size.goals - 1, { goal_id: "'goal-' || i" });
  growGates(state, size.gates ?? 0);
  const { last } = state.prepare("SELECT MAX(seq) AS last FROM events WHERE goal_id = ?").get(goal);
  copyRows(state, "events", Math.max(0, size.events - last), { seq: `${last} + i`, entity_id: "'todo_bench' || i" });
  state.close();
  const home = openStore(homePath);
  copyRows(home, "registered_goals", size.goals - 1, { goal_id: "'goal-' || i" });
  home.close();
}

/** Gates of the later todos, so that the first ones stay free. */
function growGates(state, count) {
  if (count === 0) return;
  const gate = { todo_id: "'todo_gate' || i", position: "100000 + i", text: "'May I? ' || i" };
  copyRows(state, "todos WHERE task_class = 'user_gate'", count - 1, {
    ...gate,
    gate: "json_set(template.gate, '$.blocks', json_array('todo_bench' || i))",
  });
  copyRows(state, "gate_targets", count - 1, {
    gate_id: gate.todo_id,
    target: "'todo_bench' || i",
    position: gate.position,
  });
}

/** `count` copies of the last of these rows, with these columns written anew. */
function copyRows(store, rows, count, changed) {
  if (count <= 0) return;
  const table = rows.split(" ")[0];
  const columns = store
    .prepare(`SELECT name FROM pragma_table_info('${table}')`)
    .all()
    .map((row) => row.name);
  const values = columns.map((name) => changed[name] ?? `template.${name}`);
  store.exec(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}), ` +
      `template AS (SELECT * FROM ${rows} ORDER BY rowid DESC LIMIT 1) ` +
      `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${values.join(", ")} FROM n, template`,
  );
}

export function openStore(path) {
  const require = createRequire(import.meta.url);
  try {
    const { DatabaseSync } = require("node:sqlite");
    return new DatabaseSync(path);
  } catch {
    const Database = require("better-sqlite3");
    return new Database(path);
  }
}
