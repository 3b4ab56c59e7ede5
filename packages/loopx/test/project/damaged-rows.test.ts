import { spawnSync } from "node:child_process";
import { copyFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as fc from "fast-check";
import { addMs } from "@loopx/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeOf, createInProcessWorld, idOf, START, type Answer, type InProcessWorld } from "../in-process-world.ts";

const GOAL = "--goal-id=project-goal";
const LANE = "--agent-id=a1";

interface Column {
  readonly store: "state.db" | "home.db";
  readonly table: string;
  readonly column: string;
}

let world: InProcessWorld;
let folder = "";
let ids: { readonly todo: string; readonly gate: string; readonly turn: string };
let columns: readonly Column[] = [];

const placeOf = (store: Column["store"]): string =>
  store === "home.db" ? join(folder, "home", store) : join(folder, "project", ".loopx", store);

/** In a process of its own: the driver of this one may be another. */
function query(store: Column["store"], sql: string, ...values: readonly unknown[]): readonly Record<string, unknown>[] {
  const driver = createRequire(import.meta.url).resolve("better-sqlite3");
  const script =
    "const [driver, path, sql, values] = process.argv.slice(1); const s = new (require(driver))(path).prepare(sql);" +
    "const v = JSON.parse(values); console.log(JSON.stringify(s.reader ? s.all(...v) : [s.run(...v)]))";
  const argv = ["-e", script, driver, placeOf(store), sql, JSON.stringify(values)];
  const done = spawnSync(process.execPath, argv, { encoding: "utf8" });
  if (done.status !== 0) throw new Error(done.stderr);
  return JSON.parse(done.stdout) as readonly Record<string, unknown>[];
}

beforeAll(async () => {
  world = createInProcessWorld();
  folder = world.directory;
  const { must } = world;
  await must(["bootstrap", "--objective=Make it work", GOAL]);
  await must(["register-agent", GOAL, LANE, "--execute"]);
  await must(["bind-agent-thread", GOAL, LANE, "--thread-id=t1", "--host-surface=codex-cli-tui", "--execute"]);
  await must(["config", "set", "--key=lease.ttl", "--value=30m"]);
  await must(["goal", "budget", GOAL, "--window-turns=9", "--window=1d"]);
  await must(["owner", "token", "create", `--output=${join(folder, "token")}`]);
  const todo = await must(["todo", "add", GOAL, "--role=agent", "--text=first", `--validation-command=["true"]`, LANE]);
  const turn = await must(["quota", "should-run", GOAL, LANE], "agent");
  await must(["todo", "add", GOAL, "--role=agent", "--text=second", `--depends-on=${idOf(todo, "todo")}`]);
  await must(["todo", "add", GOAL, "--role=agent", "--text=later", `--resume=after:${addMs(START, 60_000)}`]);
  await must(["todo", "add", GOAL, "--role=agent", "--text=watch", "--task-class=monitor", "--cadence=5m"]);
  const gate = await must([
    "todo",
    "add",
    GOAL,
    "--role=user",
    "--task-class=user_gate",
    "--text=May I?",
    "--blocks=agent:a1",
  ]);
  const shown = ["--outcome=progress", "--evidence=half", "--validation-status=passed", `--turn=${idOf(turn, "turn")}`];
  await must(["refresh-state", GOAL, LANE, ...shown], "agent");
  ids = { todo: idOf(todo, "todo"), gate: idOf(gate, "todo"), turn: idOf(turn, "turn") };
  for (const store of ["state.db", "home.db"] as const) {
    copyFileSync(placeOf(store), `${placeOf(store)}.whole`);
    const sql =
      'SELECT m.name AS "table", c.name AS "column" FROM sqlite_master m, pragma_table_info(m.name) c ' +
      "WHERE m.type = 'table' AND m.name NOT IN ('schema_migrations') AND c.type IN ('TEXT', 'INTEGER', 'BIGINT')";
    columns = [...columns, ...query(store, sql).map((row) => ({ ...row, store }) as unknown as Column)];
  }
});

afterAll(() => world.remove());

const commands = (): readonly (readonly [words: readonly string[], who: "owner" | "agent"])[] => [
  [["quota", "should-run", GOAL, LANE], "agent"],
  [["quota", "should-run", GOAL, LANE, `--turn=${ids.turn}`], "agent"],
  [["quota", "status", GOAL, LANE], "agent"],
  [["status", GOAL], "agent"],
  [["status"], "owner"],
  [["goal", "list"], "agent"],
  [["goal", "show", GOAL], "agent"],
  [["todo", "list", GOAL], "agent"],
  [["todo", "show", GOAL, `--todo-id=${ids.todo}`], "agent"],
  [["gate", "list", GOAL], "agent"],
  [["gate", "show", GOAL, `--gate-id=${ids.gate}`], "agent"],
  [["history", GOAL], "agent"],
  [["history", GOAL, "--at=3"], "agent"],
  [["config", "list"], "agent"],
  [["doctor"], "agent"],
  [["global-summary"], "agent"],
  [["global-risks"], "agent"],
  [["global-todos"], "agent"],
  [["start-goal", "--guided", "--goal-text=Go on", "--host-surface=codex-cli-tui", LANE], "agent"],
  [["bootstrap-command-pack"], "agent"],
  [["resolve-agent-thread", "--thread-id=t1", "--host-surface=codex-cli-tui"], "agent"],
  [["export", "--public"], "agent"],
  [["refresh-state", GOAL, LANE], "agent"],
  [["owner", "token", "list"], "owner"],
  [
    ["todo", "update", GOAL, `--todo-id=${ids.todo}`, "--note=n", `--owner-token-file=${join(folder, "token")}`],
    "agent",
  ],
  [["todo", "add", GOAL, "--role=agent", "--text=first"], "agent"],
  [["todo", "defer", GOAL, `--todo-id=${ids.todo}`, "--resume=manual", LANE], "agent"],
  [["todo", "update", GOAL, `--todo-id=${ids.todo}`, "--status=open", LANE], "agent"],
  [["todo", "complete", GOAL, `--todo-id=${ids.todo}`, LANE, "--evidence=done", "--no-follow-up"], "agent"],
  [["quota", "spend", GOAL, LANE, `--turn=${ids.turn}`], "agent"],
  [["gate", "decide", GOAL, `--gate-id=${ids.gate}`, "--decision=reject"], "owner"],
  [["bind-agent-thread", GOAL, LANE, "--thread-id=t2", "--host-surface=codex-cli-tui", "--execute"], "agent"],
  [["connect", "--project=."], "owner"],
];

const garbage = fc.oneof(
  fc.constantFrom("{bad", "null", "{{{", "[]", "{}", "[1]", '"x"', "5", "", "x", "2026-13-45T99:99:99.999Z", "after:x"),
  fc.constantFrom("open", "../../x", "todo_done:", "-1", "1e999", "9007199254740991", '{"kind":"agent"}', "[null]"),
  fc.json(),
  fc.constantFrom("a\0b", "\0"),
  fc.string({ unit: "binary" }).filter((text) => text.isWellFormed()),
);

test("whatever lies in a column, no command meets a fault of its own", async () => {
  const answers = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(fc.nat(), garbage, async (pick, value) => {
      const at = columns[pick % columns.length];
      if (at === undefined) throw new Error("no columns");
      await damage(at, value, answers);
    }),
    { numRuns: 30 },
  );
  expect(answers.get("store_corrupt") ?? 0).toBeGreaterThan(50);
}, 120_000);

test.each([
  ["gate", "{bad"],
  ["depends_on", "null"],
  ["validation", '{"argv":"true"}'],
  ["status", "half"],
  ["claim_expires_at", "soon"],
  ["resume", "after:soon"],
] as const)("todos.%s = %j is a damaged store that restore mends", async (column, value) => {
  const answers = new Map<string, number>();
  const all = await damage({ store: "state.db", table: "todos", column }, value, answers);
  const error = all.map((answer) => answer.error).find((each) => each?.code === "store_corrupt");
  expect(error).toMatchObject({
    code: "store_corrupt",
    hint: "loopx restore --execute",
    details: { table: "todos", column },
  });
  expect(JSON.stringify(error)).toContain(".loopx/state.db");
});

test.each([
  ["todos", "position", "9007199254740991"],
  ["todos", "position", "x"],
  ["todos", "claim_epoch", "9007199254740991"],
  ["goals", "revision", "9007199254740991"],
  ["events", "seq", "9007199254740991"],
  ["events", "seq", "x"],
] as const)("%s.%s = %s, from which nothing can be counted on, is a damaged store", async (table, column, value) => {
  const answers = new Map<string, number>();
  await damage({ store: "state.db", table, column }, value, answers);
  expect(answers.get("store_corrupt")).toBeGreaterThan(0);
});

test("a text with a NUL, which no command stores, is a damaged store", async () => {
  const answers = new Map<string, number>();
  await damage({ store: "state.db", table: "todos", column: "text" }, "a\0b", answers);
  expect(answers.get("store_corrupt")).toBeGreaterThan(0);
});

test("an event whose image is none is a damaged store", async () => {
  const answers = new Map<string, number>();
  await damage({ store: "state.db", table: "events", column: "image" }, "{{{", answers);
  expect(answers.get("store_corrupt")).toBeGreaterThan(0);
});

/** Writes the value into every row, then runs every command on its own copy of that state. */
async function damage(at: Column, value: string, answers: Map<string, number>): Promise<readonly Answer[]> {
  const all: Answer[] = [];
  restoreWhole();
  try {
    query(at.store, `UPDATE OR REPLACE ${at.table} SET ${at.column} = ?`, value);
  } catch (error) {
    // A unique index that takes no such row.
    if (String(error).includes("constraint")) return all;
    throw error;
  }
  const damaged = `${placeOf(at.store)}.damaged`;
  copyFileSync(placeOf(at.store), damaged);
  for (const [words, who] of commands()) {
    restoreWhole();
    copyFileSync(damaged, placeOf(at.store));
    const answer = await world.run(words, who);
    const code = codeOf(answer);
    answers.set(code, (answers.get(code) ?? 0) + 1);
    // What these lines hold can be stored; only what was read cannot.
    expect(["internal", "text_not_storable"], JSON.stringify({ at, value, words })).not.toContain(code);
    all.push(answer);
  }
  return all;
}

function restoreWhole(): void {
  for (const store of ["state.db", "home.db"] as const) {
    rmSync(`${placeOf(store)}-journal`, { force: true });
    copyFileSync(`${placeOf(store)}.whole`, placeOf(store));
  }
}
