import { beforeEach, expect, test } from "vitest";
import type { World } from "../../support/cli-world.ts";
import { readText } from "../../support/read-field.ts";
import { connectProject, createMachine, read, readAsOwner } from "./machine.ts";

/** Sequences that our own styles write too: only those could ever slip through with them. */
const HOSTILE = "\u001b[31mred\u001b[2m\u001b[1mloud";
const SHOWN = String.raw`\x1b[31mred\x1b[2m\x1b[1mloud`;

/** Of SGR: what our styles write. */
const OUR_CODES: ReadonlySet<string | undefined> = new Set(["1", "2", "22", "31", "32", "33", "36", "39"]);

let world: World;
let todoId: string;
let gateId: string;
beforeEach(async () => {
  world = createMachine();
  await connectProject(world);
  await world.call(["bootstrap", "--new-goal", "--goal-id=hostile", `--objective=${HOSTILE}`]);
  await world.call(["register-agent", "--goal-id=hostile", "--agent-id=codex-main", "--execute"]);
  const add = ["todo", "add", "--goal-id=hostile"];
  const check = ['--validation-command=["true"]', `--validation-label=${HOSTILE}`];
  todoId = readText(await world.call([...add, `--text=${HOSTILE} work`, ...check]), "todo", "todo_id");
  const gate = ["--role=user", "--task-class=user_gate", `--blocks=${todoId}`];
  gateId = readText(await world.call([...add, `--text=${HOSTILE} gate`, ...gate]), "todo", "todo_id");
});

/** What our styles never write in one place: a sequence right before or behind the words of a caller. */
function expectShownAsText(text: string): void {
  expect(text).toContain(SHOWN);
  expect(text).not.toContain("\u001b[31mred");
  expect(text).not.toContain("\u001b[1mloud");
  expect(text).not.toMatch(/[\ue000\ue001]/);
}

test.each([
  ["into a pipe", {}],
  ["into a pipe with styles", { FORCE_COLOR: "1" }],
])("stored escape sequences are shown as text %s", async (_, env) => {
  const goal = "--goal-id=hostile";
  const ask = (...words: string[]): Promise<string> => read(world, [...words, goal], { env });
  for (const words of [
    ["todo", "add", `--text=${HOSTILE} written`],
    ["todo", "show", `--todo-id=${todoId}`],
    ["todo", "list"],
    ["status"],
    ["gate", "list"],
    ["gate", "show", `--gate-id=${gateId}`],
    ["goal", "show"],
    ["quota", "should-run", "--agent-id=codex-main"],
    ["todo", "update", "--agent-id=codex-main", `--todo-id=${todoId}`, `--note=${HOSTILE}`],
  ]) {
    expectShownAsText(await ask(...words));
  }
  const add = async (text: string): Promise<string> =>
    `--todo-id=${readText(await world.call(["todo", "add", goal, `--text=${HOSTILE} ${text}`]), "todo", "todo_id")}`;
  const words = [`--reason=${HOSTILE}`, `--next-todo=${HOSTILE} next`];
  expectShownAsText(await ask("todo", "supersede", "--agent-id=codex-main", await add("replaced"), ...words));
  expectShownAsText(await ask("todo", "complete", "--agent-id=codex-main", await add("done"), "--evidence=done"));
});

test("and at a terminal, where an owner decides and where nothing but our own styles is written", async () => {
  const goal = "--goal-id=hostile";
  for (const words of [
    ["status", goal],
    ["gate", "show", goal, `--gate-id=${gateId}`],
    ["gate", "decide", goal, `--gate-id=${gateId}`, "--decision=reject", `--reason=${HOSTILE}`],
    ["owner", "token", "create", `--label=${HOSTILE}`, `--output=${world.directory}/token`],
    ["owner", "token", "list"],
  ]) {
    const shown = await readAsOwner(world, words);
    if (words[2] !== "create") expectShownAsText(shown);
    const codes = shown
      .split("\u001b[")
      .slice(1)
      .map((part) => part.split("m")[0]);
    expect(codes.filter((code) => !OUR_CODES.has(code))).toEqual([]);
    expect(shown.replaceAll("\u001b[", "")).not.toContain("\u001b");
  }
});
