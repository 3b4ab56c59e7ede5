import { describe, expect, test } from "vitest";
import type { World } from "../../support/cli-world.ts";
import { readField, readText } from "../../support/read-field.ts";
import { ask, askAsOwner, connectProject, createMachine, read } from "./machine.ts";

const GOAL = "--goal-id=project-goal";
const LANE = [GOAL, "--agent-id=codex-main"] as const;

describe("the turns that are used", () => {
  test("say how many of them are open, wherever they are counted", async () => {
    const world = await startWorld();
    await askAsOwner(world, ["goal", "budget", GOAL, "--total-turns=10"]);
    const first = await openTurn(world);
    await world.call(["refresh-state", ...LANE, first, "--outcome=progress", "--evidence=Half of it"]);
    await world.call(["register-agent", GOAL, "--agent-id=other", "--execute"]);
    await world.call(["todo", "add", GOAL, "--text=Write it up"]);
    await world.call(["quota", "should-run", GOAL, "--agent-id=other"]);
    const use = "2 of 10 turns used, 2 of them open";
    for (const words of [["status"], ["quota", "status"], ["goal", "show"]]) {
      expect(await read(world, words)).toContain(use);
      expect(readField(await world.call(words), "open_turns")).toBe(2);
    }
    expect(await read(world, ["quota", "spend", ...LANE, first])).toContain(
      "  2 of 10 turns used, 1 of them open · goal active",
    );
    expect(await world.call(["quota", "spend", ...LANE, first])).toMatchObject({ used_turns: 2, open_turns: 1 });
  });

  test("say what limits there are beside the whole", async () => {
    const world = await startWorld();
    expect(await read(world, ["status"])).toContain("0 turns used, no limit");
    await askAsOwner(world, ["goal", "budget", GOAL, "--window-turns=20", "--window=1d"]);
    expect(await read(world, ["status"])).toContain("0 turns used, 20 in 1d");
    await askAsOwner(world, ["goal", "budget", GOAL, "--total-turns=200"]);
    expect(await read(world, ["status"])).toContain("0 of 200 turns used, 20 in 1d");
  });

  test("all used make the answer name who goes on and how, and no time to wait for", async () => {
    const world = await startWorld();
    await askAsOwner(world, ["goal", "budget", GOAL, "--total-turns=1"]);
    const turn = await openTurn(world);
    await world.call(["refresh-state", ...LANE, turn, "--outcome=progress", "--evidence=Half of it"]);
    await world.call(["quota", "spend", ...LANE, turn]);
    expect(await read(world, ["quota", "should-run", ...LANE])).toBe(
      [
        "throttled",
        "why        all turns of the budget are used: 1 turn in all",
        "ask again  when an owner has raised the budget: the goal then goes on as it is",
        "",
        "next: for an owner to run at a terminal of their own, not for the agent",
        "  loopx goal budget --goal-id=project-goal '--total-turns=<turns>'",
        "",
      ].join("\n"),
    );
  });
});

describe("a status", () => {
  test("lists what is blocked with its reason, and counts what an owner has to do", async () => {
    const world = await startWorld();
    const todoId = await addTodo(world, "Deploy it");
    await world.call(["todo", "update", ...LANE, `--todo-id=${todoId}`, "--status=blocked", "--reason=CI is down"]);
    await world.call(["todo", "add", GOAL, "--text=Ship?", "--role=user", "--task-class=user_gate"]);
    const shown = await read(world, ["status"]);
    expect(shown).toContain(`\nblocked, waits for whoever can open it again\n  ${todoId}  P2  Deploy it: CI is down\n`);
    expect(shown).toContain("1 blocked, 2 open (1 for an owner)\n");
    expect(shown).toContain("\nwaits for an owner\n");
    expect(await world.call(["status"])).toMatchObject({ blocked_todo_ids: [todoId], todos_for_owner: 1 });
  });

  test("of several goals has their states in one column", async () => {
    const world = await startWorld();
    await world.call(["bootstrap", "--new-goal", "--goal-id=b", "--objective=More"]);
    expect(await read(world, ["status"])).toContain("  project-goal  active\n  b             active\n");
  });
});

describe("a printed command", () => {
  test("that asks for the next turn names the thread that holds this one", async () => {
    const world = await startWorld();
    const thread = "--thread-id=thread-7";
    const bind = [...LANE, thread, "--host-surface=shell"];
    await world.call(["bind-agent-thread", ...bind, "--execute"]);
    const again = "loopx quota should-run --goal-id=project-goal --agent-id=codex-main --thread-id=thread-7";
    const todoId = await addTodo(world, "Read it");
    const claimed = await world.call(["todo", "claim", ...LANE, thread, `--todo-id=${todoId}`]);
    expect(readField(claimed, "next")).toEqual([again]);
    const turn = await openTurn(world, thread);
    await world.call(["refresh-state", ...LANE, turn, "--outcome=progress", "--evidence=Half of it"]);
    expect(readField(await world.call(["quota", "spend", ...LANE, turn]), "next")).toEqual([again]);
  });

  test("whose stand-in was left in is refused by the name of its flag", async () => {
    const world = await startWorld();
    const todoId = await addTodo(world, "Read it");
    const words = ["todo", "complete", ...LANE, `--todo-id=${todoId}`, "--evidence=Read", "--next-todo=<what follows>"];
    expect(await ask(world, words)).toMatchObject({
      exitCode: 2,
      json: {
        error: {
          message: "--next-todo is a placeholder: put your own words in its place",
          hint: "loopx todo complete --help",
        },
      },
    });
  });

  test("is there for each refusal that a new lane meets first", async () => {
    const world = await startWorld();
    const turn = await openTurn(world);
    const { exitCode: _settled } = await world.run(["quota", "spend", ...LANE, turn]);
    await world.call(["register-agent", GOAL, "--agent-id=other", "--execute"]);
    const other = [GOAL, "--agent-id=other"];
    const evidence = ["--outcome=progress", "--evidence=Half of it"];
    for (const words of [
      ["quota", "spend", ...LANE, turn],
      ["quota", "spend", ...other, turn],
      ["quota", "spend", ...LANE, "--turn=turn_000000"],
      ["refresh-state", ...other, turn, ...evidence],
      ["todo", "claim", ...other, "--todo-id=todo_000000"],
      ["todo", "claim", ...LANE, "--thread-id=unbound", "--todo-id=todo_000000"],
      ["todo", "add", ...other, "--text=x", "--cadence=1m"],
      ["quota", "should-run", GOAL, "--agent-id=nobody"],
    ]) {
      const { json, exitCode } = await ask(world, words);
      expect([words, exitCode]).not.toEqual([words, 0]);
      const hint = readField(json, "error", "hint") ?? readField(json, "next");
      expect([words, String(hint)]).toEqual([words, expect.stringContaining("loopx ")]);
    }
  });
});

test("whoever has reached the last todo is asked what follows, after the evidence as before it", async () => {
  const world = await startWorld();
  const turn = await openTurn(world);
  const evidence = ["--outcome=primary_outcome", "--evidence=All fields parse"];
  const settle = async (): Promise<string> =>
    (await read(world, ["refresh-state", ...LANE, turn, ...evidence])).replaceAll(/todo_\w+/g, "TODO");
  const complete = `loopx todo complete --goal-id=project-goal --todo-id=TODO --agent-id=codex-main ${turn}`;
  expect(await settle()).toContain(
    `\n  either  ${complete} '--next-todo=<what follows>'\n  or      ${complete} --no-follow-up\n`,
  );
  await addTodo(world, "Another");
  expect(await settle()).toContain(`\n  ${complete}\n`);
});

test("the usage of a command shows a flag that it cannot do without, also one that takes no value", async () => {
  const world = createMachine();
  expect((await read(world, ["help", "start-goal"])).split("\n")[0]).toBe(
    "loopx start-goal --guided (--goal-text TEXT | --slash-command-arguments RAW)",
  );
  expect(await ask(world, ["start-goal", "--goal-text=Fix it"])).toMatchObject({
    json: { error: { code: "missing_flag", message: "loopx start-goal needs --guided" } },
  });
});

async function startWorld(): Promise<World> {
  const world = createMachine();
  await connectProject(world);
  return world;
}

async function addTodo(world: World, text: string): Promise<string> {
  return readText(await world.call(["todo", "add", GOAL, `--text=${text}`]), "todo", "todo_id");
}

async function openTurn(world: World, ...flags: readonly string[]): Promise<string> {
  return `--turn=${readText(await world.call(["quota", "should-run", ...LANE, ...flags]), "turn", "turn_id")}`;
}
