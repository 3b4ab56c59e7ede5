import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runProgram } from "../support/run-program.ts";
import { addTodo, createWorkingGoal, openTurn, type WorkingGoal } from "../support/working-goal.ts";

const WHOLE = fileURLToPath(new URL("../support/fixtures/run-whole.cjs", import.meta.url));

let guessed: WorkingGoal;
let whole: WorkingGoal;
let here: Ids;
let there: Ids;

beforeAll(async () => {
  [guessed, whole] = await Promise.all([createWorkingGoal(2), createWorkingGoal(2, { program: WHOLE })]);
  [here, there] = await Promise.all([prepare(guessed), prepare(whole)]);
});

afterAll(() => {
  guessed.world.remove();
  whole.world.remove();
});

/** What the lines name by GOAL, TODO and TURN: the ids of each world are its own. */
interface Ids {
  readonly goal: string;
  readonly todo: string;
  readonly turn: string;
}

const LANE = ["--goal-id=GOAL", "--agent-id=agent-1"];
const RECALL = ["decision-context", "recall-context", ...LANE];
const ASKED = ["--query=the importer", "--context-scope-ref=host-session:codex:asked"];

/** Refused as lines, or asking for help: nothing is read or written. Each is run with `--json` and as text. */
const LINES_OF_WORDS: readonly (readonly string[])[] = [
  ["quota", "should-run"],
  ["quota", "should-run", "--goal-id=GOAL"],
  ["quota", "should-run", ...LANE, "--agent=agent-1"],
  ["quota", "should-run", ...LANE, "--agent-id=agent-1"],
  ["quota", "should-run", ...LANE, "extra words"],
  ["quota", "should-run", ...LANE, "--lease-ttl=1s"],
  ["quota", "should-run", ...LANE, "--lease-ttl"],
  ["quota", "should-run", "--goal-id=null", "--agent-id=agent-1"],
  ["quota", "should-run", ...LANE, "--format=yaml"],
  ["quota", "should-run", ...LANE, "--version"],
  ["quota", "spend", ...LANE],
  ["quota", "spend", ...LANE, "--turn=TURN", "--turn=TURN"],
  ["quota", "spent"],
  ["quota"],
  ["todo"],
  ["todo", "ad", "todo", "add"],
  ["todo", "add"],
  ["todo", "add", "--text="],
  ["todo", "add", "--text=x", "--role=owner"],
  ["todo", "add", "--text=x", "--priority=P9"],
  ["todo", "add", "--text=x", "--validation-command=npm test"],
  ["todo", "add", "--text=x", "--json=yes"],
  ["todo", "complete", ...LANE, "--todo-id=TODO", "--no-follow-up", "--next-todo=x"],
  ["todo", "claim", "--todo-id=TODO"],
  ["--goal-id=GOAL", "todo", "claim"],
  ["refresh-state", ...LANE, "--outcome=none"],
  [...RECALL],
  [...RECALL, ...ASKED],
  [...RECALL, ...ASKED, "--profile=absent.json", "--thread-link=codex://threads/a"],
  [...RECALL, ...ASKED, "--profile=absent.json", "--max-results=99"],
  ["decision-context", "recall"],
  // Help, wherever it is asked for.
  [...RECALL, "--help"],
  ["quota", "should-run", "--help"],
  ["todo", "--help", "add"],
  ["todo", "-h"],
  ["refresh-state", ...LANE, "-h"],
];

/** Lines in their order: what one writes, the next one finds. */
const LINES_OF_WORK: readonly (readonly string[])[] = [
  // Refused by what is there.
  ["quota", "should-run", "--goal-id=other", "--agent-id=agent-1"],
  ["quota", "should-run", "--goal-id=GOAL", "--agent-id=nobody"],
  ["quota", "spend", ...LANE, "--turn=turn_00000000"],
  ["refresh-state", ...LANE],
  ["todo", "claim", ...LANE, "--todo-id=todo_00000000"],
  ["todo", "complete", ...LANE, "--todo-id=TODO"],
  ["todo", "complete", ...LANE, "--todo-id=TODO", "--evidence-file=nowhere"],
  ["todo", "add", ...LANE, "--text=ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"],
  ["todo", "add", ...LANE, "--text=x", "--resume=tomorrow"],
  ["todo", "add", "--project=nowhere", "--text=x"],
  [...RECALL, ...ASKED, "--profile=absent.json"],
  [...RECALL, ...ASKED, "--profile=absent.json", "--timeout-seconds=soon"],
  [...RECALL, "--query=x", "--thread-link=codex://threads/new", "--profile=absent.json"],
  // What is carried out.
  ["decision-context", "init-profile", ...LANE, "--output=profile.json", "--execute"],
  [...RECALL, ...ASKED, "--profile=profile.json"],
  [...RECALL, ...ASKED, "--profile=profile.json", "--verbose"],
  ["quota", "should-run", ...LANE],
  ["todo", "add", ...LANE, "--text=[P0] Read the other importer"],
  ["todo", "add", ...LANE, "--text=[P0] Read the other importer"],
  ["todo", "claim", ...LANE, "--todo-id=TODO"],
  ["todo", "claim", "--goal-id=GOAL", "--agent-id=agent-2", "--todo-id=TODO"],
  ["quota", "spend", ...LANE, "--turn=TURN"],
  ["refresh-state", ...LANE, "--turn=TURN", "--outcome=progress", "--evidence=It parses dates"],
  ["refresh-state", ...LANE, "--turn=TURN", "--outcome=progress", "--evidence=It parses times"],
  ["todo", "complete", ...LANE, "--todo-id=TODO", "--turn=TURN", "--evidence=Done", "--next-todo=Write it up"],
  ["quota", "spend", ...LANE, "--turn=TURN"],
  ["quota", "spend", ...LANE, "--turn=TURN"],
  ["todo", "add", ...LANE, "--text=May I?", "--task-class=user_gate"],
  ["quota", "should-run", "--goal-id=GOAL", "--agent-id=agent-2"],
];

test.each([
  ["that is refused or asks for help", LINES_OF_WORDS],
  ["that is carried out", LINES_OF_WORK],
])("what a line %s answers does not depend on which program runs it", async (_, lines) => {
  for (const line of lines) {
    for (const format of [["--json"], []]) {
      const answers = await Promise.all([answer(guessed, here, line, format), answer(whole, there, line, format)]);
      expect([line, answers[0]]).toEqual([line, answers[1]]);
    }
  }
});

test.each(["should-run", "every-turn", "recall"])(
  "%s.cjs holds no word that only help and refusals of a line show",
  (program) => {
    const text = readFileSync(join(import.meta.dirname, `../../packages/loopx/dist/${program}.cjs`), "utf8");
    expect(text).toContain("quota should-run");
    for (const words of ["Ask what you may do next", "registered lane you act as", "importer-goal", "Everywhere"]) {
      expect([words, text.includes(words)]).toEqual([words, false]);
    }
  },
);

async function prepare(working: WorkingGoal): Promise<Ids> {
  await addTodo(working, "Read the importer");
  const { turnId, todoId } = await openTurn(working);
  return { goal: working.goalId, turn: turnId, todo: todoId };
}

async function answer(
  { world }: WorkingGoal,
  ids: Ids,
  line: readonly string[],
  format: readonly string[],
): Promise<object> {
  const words = line.map((word) => word.replace("GOAL", ids.goal).replace("TODO", ids.todo).replace(/TURN$/, ids.turn));
  const options = { cwd: world.project, env: world.env };
  const result = await runProgram(process.execPath, [world.program, ...format, ...words], options);
  const mask = (text: string): string =>
    text
      .replaceAll(world.directory, "WORLD")
      .replace(/\b(todo|turn|evidence)_[a-z0-9]{6,}/g, "$1_ID")
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
      .replace(/"recheck_after_seconds":\d+|in \d+ s\b/g, "SECONDS");
  return { exitCode: result.exitCode, stdout: mask(result.stdout), stderr: mask(result.stderr) };
}
