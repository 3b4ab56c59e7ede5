import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HOST_PAYLOADS, readHostPayload } from "../support/host-payload.ts";
import { runProgram } from "../support/run-program.ts";
import { addTodo, createWorkingGoal, openTurn, type WorkingGoal } from "../support/working-goal.ts";

const LIST_LOADS = fileURLToPath(new URL("../support/fixtures/list-loads.cjs", import.meta.url));
/** Each takes Node one to five milliseconds to load, and a command of every turn needs none of them. */
const SLOW_BUILTINS = ["node:crypto", "node:child_process", "node:net", "node:stream", "node:fs/promises", "node:tty"];

let working: WorkingGoal;

beforeAll(async () => {
  working = await createWorkingGoal(1);
});

afterAll(() => working.world.remove());

test("each command of every turn runs from one file and loads no slow builtin", async () => {
  const lane = [`--goal-id=${working.goalId}`, "--agent-id=agent-1"];
  const first = await addTodo(working, "Read the importer");
  await addTodo(working, "Write the importer");
  const { turnId, todoId } = await openTurn(working);
  expect(todoId).toBe(first);
  const turn = `--turn=${turnId}`;
  const commands = [
    ["todo", "add", ...lane, "--role=agent", "--text=Test the importer"],
    ["quota", "should-run", ...lane],
    ["refresh-state", ...lane, turn, "--outcome=progress", "--evidence=It parses dates"],
    ["quota", "spend", ...lane, turn],
    ["todo", "claim", ...lane, `--todo-id=${todoId}`],
    ["todo", "complete", ...lane, `--todo-id=${todoId}`, "--evidence=Read it", "--no-follow-up"],
  ];
  for (const command of commands) {
    const loads = await listLoads(command);
    const name = command.slice(0, 2).join(" ");
    expect([
      name,
      loads.filter((one) => /^(?:main|about|should-run|every-turn|whole|chunk-.*)\.cjs$/.test(one)),
    ]).toEqual([name, ["main.cjs", name === "quota should-run" ? "should-run.cjs" : "every-turn.cjs"]]);
    expect([name, loads.filter((one) => SLOW_BUILTINS.includes(one))]).toEqual([name, []]);
  }
});

test("a recall runs from one file, and starts no process where nobody can be asked", async () => {
  const lane = [`--goal-id=${working.goalId}`, "--agent-id=agent-1"];
  const profile = join(working.world.home, "profile.json");
  await working.world.call(["decision-context", "init-profile", ...lane, `--output=${profile}`, "--execute"]);
  const asked = ["--context-scope-ref=host-session:codex:asked", "--query=the importer"];
  const loads = await listLoads(["decision-context", "recall-context", ...lane, `--profile=${profile}`, ...asked]);
  expect(loads.filter((one) => one.endsWith(".cjs"))).toEqual(["loopx.cjs", "main.cjs", "recall.cjs"]);
  // The digests of its receipt take a hash.
  const slow = SLOW_BUILTINS.filter((one) => one !== "node:crypto" && one !== "node:stream");
  expect(loads.filter((one) => slow.includes(one))).toEqual([]);
});

test.each([["--help"], ["help", "todo"], ["--version"]])("%s %s runs from one small file", async (...command) => {
  const loads = await listLoads(command);
  expect(loads).toEqual(["loopx.cjs", "main.cjs", "about.cjs"]);
});

test("a prompt hook runs an ordinary prompt from two small files, and loads no builtin of its own", async () => {
  const prompts = HOST_PAYLOADS.map(({ host, file }) => ({
    host,
    input: readHostPayload(file, "/", "Fix the login test"),
  }));
  for (const { host, input } of prompts) {
    expect(await listLoads(["hook", host], input)).toEqual(["loopx.cjs", "main.cjs", "hook.cjs"]);
  }
});

test("a word that names a program does not make another command wait for stdin", async () => {
  const loads = await listLoads(["todo", "list", `--goal-id=${working.goalId}`, "--agent-id", "hook"]);
  expect(loads).toContain("whole.cjs");
});

test("a command of another program is run whichever words its values hold", async () => {
  const loads = await listLoads(["todo", "list", `--goal-id=${working.goalId}`, "--agent-id", "help"]);
  expect(loads).toContain("whole.cjs");
});

async function listLoads(command: readonly string[], input = ""): Promise<readonly string[]> {
  const list = join(working.world.directory, "loads");
  const env = { NODE_OPTIONS: `--require=${LIST_LOADS}`, LISTED_LOADS: list };
  const { world } = working;
  const options = { cwd: world.project, env: { ...world.env, ...env }, input };
  const result = await runProgram(process.execPath, [world.program, ...command], options);
  if (result.exitCode !== 0) throw new Error(`${command.join(" ")}: ${result.stderr}`);
  return readFileSync(list, "utf8").split("\n");
}
