import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { World } from "../../support/cli-world.ts";
import { readField, readText } from "../../support/read-field.ts";
import { ask, askAsOwner, codeOf, connectProject, createMachine, read, readAsOwner, SHOULD_RUN } from "./machine.ts";

const GOAL = "--goal-id=project-goal";
const LANE = [GOAL, "--agent-id=codex-main"] as const;

async function addTodo(world: World, text: string, ...flags: string[]): Promise<string> {
  return readText(await world.call(["todo", "add", GOAL, `--text=${text}`, ...flags]), "todo", "todo_id");
}

function addGate(world: World, text: string, ...flags: string[]): Promise<string> {
  return addTodo(world, text, "--role=user", "--task-class=user_gate", ...flags);
}

/** The commands under the last heading of a text, and the heading. */
function readNext(text: string): { readonly heading: string; readonly commands: readonly string[] } {
  const [heading = "", ...commands] = (text.trimEnd().split("\n\n").at(-1) ?? "").split("\n");
  return { heading, commands: commands.map((command) => command.trim()) };
}

const FOR_OWNER = "next: for an owner to run at a terminal of their own, not for the agent";

describe("the goal that is meant where none is named", () => {
  test("is the open one beside completed and stopped ones, and is asked for where several are open", async () => {
    const world = createMachine();
    await connectProject(world);
    for (const id of ["second", "third"])
      await world.call(["bootstrap", "--new-goal", `--goal-id=${id}`, "--objective=More"]);
    expect(codeOf(await ask(world, ["todo", "list"]))).toBe("goal_selection_required");
    await askAsOwner(world, ["goal", "stop", GOAL]);
    const asked = await ask(world, ["todo", "list"]);
    expect(readField(asked.json, "error", "details", "goal_ids")).toEqual(["second", "third"]);
    expect(await ask(world, ["status"])).toMatchObject({ json: { next: ["loopx status --goal-id=second"] } });
    await askAsOwner(world, ["goal", "complete", "--goal-id=third"]);
    expect(await ask(world, ["goal", "show"])).toMatchObject({ exitCode: 0, json: { goal: { goal_id: "second" } } });
    expect(await ask(world, ["status"])).toMatchObject({ json: { goal: { goal_id: "second" }, other_goal_count: 2 } });
    await world.call(["goal", "pause", "--goal-id=second"]);
    expect(await ask(world, ["goal", "show"])).toMatchObject({ json: { goal: { goal_id: "second" } } });
    await askAsOwner(world, ["goal", "stop", "--goal-id=second"]);
    expect(codeOf(await ask(world, ["goal", "show"]))).toBe("goal_selection_required");
  });

  test("is said with its command in a linked worktree, whose main checkout is never used unasked", async () => {
    const world = createMachine();
    await connectProject(world);
    const worktree = join(world.directory, "linked");
    for (const words of [
      ["-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "--quiet", "--allow-empty", "--message=first"],
      ["worktree", "add", "--quiet", "-b", "side", worktree],
    ])
      expect(spawnSync("git", words, { cwd: world.project, env: { ...world.env } }).status).toBe(0);
    const refused = await ask(world, ["status"], { cwd: worktree });
    expect(refused).toMatchObject({
      exitCode: 4,
      json: {
        error: {
          code: "project_not_connected",
          message: "this is a linked worktree; its main checkout is connected, so name the goal to work on",
          hint: "loopx status --goal-id=project-goal",
        },
      },
    });
    expect(await ask(world, ["status", GOAL], { cwd: worktree })).toMatchObject({ exitCode: 0 });
    await world.call(["bootstrap", "--new-goal", "--goal-id=second", "--objective=More"]);
    expect(await ask(world, ["todo", "list"], { cwd: worktree })).toMatchObject({
      json: { error: { hint: "loopx goal list" } },
    });
  });
});

describe("a status for people", () => {
  test("has what waits apart from what was rejected, and finished todos apart from work", async () => {
    const world = createMachine();
    await connectProject(world);
    const done = await addTodo(world, "Finished soon");
    await world.call(["todo", "complete", ...LANE, `--todo-id=${done}`, "--evidence=done"]);
    const replaced = await addTodo(world, "Wrong layer");
    await world.call(["todo", "supersede", ...LANE, `--todo-id=${replaced}`, "--reason=r", "--next-todo=Right layer"]);
    const [yes, no, later] = [
      await addGate(world, "Ship?"),
      await addGate(world, "Delete?"),
      await addGate(world, "Soon?"),
    ];
    await askAsOwner(world, ["gate", "decide", GOAL, `--gate-id=${no}`, "--decision=reject"]);
    await askAsOwner(world, ["gate", "decide", GOAL, `--gate-id=${later}`, "--decision=defer", "--until=2h"]);
    const sections = new Map(
      (await read(world, ["status"])).split("\n\n").map((part) => {
        const [title = "", ...lines] = part.trimEnd().split("\n");
        return [title, lines];
      }),
    );
    expect(sections.get("waits for an owner")).toEqual([`  ${yes}  P2  Ship?`]);
    expect(sections.get("rejected")).toEqual([`  ${no}  P2  Delete?`]);
    expect(sections.get("put off")).toEqual([`  ${later}  P2  Soon?`]);
    expect(sections.get("work")).toEqual([
      expect.stringMatching(/^ {2}todo_[a-z0-9]+ {2}open {2}P2 {2}Parse quoted fields$/),
      expect.stringMatching(/^ {2}todo_[a-z0-9]+ {2}open {2}P2 {2}Right layer$/),
    ]);
    expect(sections.get("finished")).toEqual([
      `  ${done}  done        P2  Finished soon`,
      `  ${replaced}  superseded  P2  Wrong layer`,
    ]);
    expect(sections.get("next")).toEqual([`  loopx gate show --goal-id=project-goal --gate-id=${yes}`]);
  });

  test("has what only the owner can do among what waits, once nothing stands before it, with the command that ends it", async () => {
    const world = createMachine();
    await connectProject(world);
    const add = async (...words: readonly string[]): Promise<string> =>
      String(readField(await world.call(["todo", "add", GOAL, ...words]), "todo", "todo_id"));
    const first = await addTodo(world, "Draft the letter");
    const action = ["--role=user", "--task-class=user_action"];
    const sign = await add(...action, "--text=Sign it", `--depends-on=${first}`);
    const call = await add(...action, "--text=Call the bank", "--priority=P3");
    expect(await read(world, ["status"])).toContain(`\nwaits for an owner\n  ${call}  P3  Call the bank\n\nwork\n`);
    await world.call(["todo", "complete", ...LANE, `--todo-id=${first}`, "--evidence=done"]);
    const gate = await addGate(world, "Ship?");
    const shown = await read(world, ["status"]);
    expect(shown).toContain(
      `\nwaits for an owner\n  ${gate}  P2  Ship?\n  ${sign}  P2  Sign it\n  ${call}  P3  Call the bank\n\n`,
    );
    const ends = `loopx todo complete --goal-id=project-goal --todo-id=${sign}`;
    expect(readNext(shown).commands).toEqual([`loopx gate show --goal-id=project-goal --gate-id=${gate}`, ends]);
    expect(await ask(world, ["status"])).toMatchObject({
      json: { user_actions: [{ todo_id: sign }, { todo_id: call }] },
    });
    expect(await askAsOwner(world, ends.split(" ").slice(1))).toMatchObject({ exitCode: 0 });
    expect(await read(world, ["status"])).not.toContain(sign);
  });

  test("says how much of the list it shows, and how to see the rest", async () => {
    const world = createMachine();
    await connectProject(world);
    for (let count = 1; count < 8; count += 1) await addTodo(world, `Todo ${count}`);
    const shown = await read(world, ["status"]);
    expect(shown).toContain("\n\n5 of 8\n");
    expect(readNext(shown).commands).toContain("loopx todo list --goal-id=project-goal");
    await world.call(["todo", "archive", "--completed"]);
    expect(await read(world, ["status", "--limit=8"])).not.toContain("of 8");
  });
});

describe("a todo that is written", () => {
  test("says when it holds the whole goal, and what a gate that names todos holds", async () => {
    const world = createMachine();
    await connectProject(world);
    const todo = await addTodo(world, "Publish");
    const gate = ["todo", "add", GOAL, "--role=user", "--task-class=user_gate"];
    expect(await ask(world, [...gate, "--text=All?"])).toMatchObject({ json: { blocks: ["goal"] } });
    expect(await read(world, [...gate, "--text=Really all?"])).toContain(
      "\n  holds back the whole goal until an owner decides\n",
    );
    expect(await read(world, [...gate, "--text=That one?", `--blocks=${todo}`])).toContain(
      `\n  holds back ${todo} until an owner decides\n`,
    );
  });

  test("takes a cadence for a monitor only, and an update says what it changes", async () => {
    const world = createMachine();
    await connectProject(world);
    const cadence = await ask(world, ["todo", "add", GOAL, "--text=Look", "--cadence=1h"]);
    expect({ code: codeOf(cadence), field: readField(cadence.json, "error", "details", "field") }).toEqual({
      code: "invalid_value",
      field: "cadence",
    });
    const monitor = ["todo", "add", GOAL, "--text=Look", "--cadence=1h", "--task-class=monitor"];
    const todoId = readText(await world.call(monitor), "todo", "todo_id");
    const empty = await ask(world, ["todo", "update", ...LANE, `--todo-id=${todoId}`]);
    expect({ code: codeOf(empty), exitCode: empty.exitCode }).toEqual({ code: "missing_flag", exitCode: 2 });
    expect(await ask(world, ["todo", "update", ...LANE, `--todo-id=${todoId}`, "--note=Seen"])).toMatchObject({
      exitCode: 0,
    });
  });
});

test("a second objective for a goal that exists is not taken silently", async () => {
  const world = createMachine();
  await connectProject(world);
  const edit = "loopx goal edit --goal-id=project-goal '--objective=Ship the exporter'";
  for (const words of [
    ["bootstrap", GOAL, "--objective=Ship the exporter"],
    ["bootstrap", "--objective=Ship the exporter"],
    ["bootstrap", GOAL, "--objective=Ship the exporter", "--dry-run"],
  ]) {
    expect(await ask(world, words)).toMatchObject({ exitCode: 0, json: { objective_changed: false } });
    expect(readNext(await read(world, words)).commands[0]).toBe(edit);
  }
  expect(await read(world, ["bootstrap", "--objective=Ship the exporter"])).toContain(
    "the objective of project-goal was not changed",
  );
  const same = await ask(world, ["bootstrap", GOAL, "--objective=Ship the importer"]);
  expect(readField(same.json, "objective_changed")).toBeUndefined();
  expect(await ask(world, ["goal", "show"])).toMatchObject({ json: { goal: { objective: "Ship the importer" } } });
});

describe("a guard's answer for people", () => {
  test("names the owner over the commands of every open question", async () => {
    const world = createMachine();
    await connectProject(world);
    const gates = [await addGate(world, "First?"), await addGate(world, "Second?"), await addGate(world, "Third?")];
    const commands = gates.map(
      (id) =>
        `loopx gate decide --goal-id=project-goal --gate-id=${id} '--decision=<approve|reject|defer>' '--reason=<answer>'`,
    );
    expect(await ask(world, SHOULD_RUN)).toMatchObject({ json: { decision: "ask_user", next: commands } });
    expect(readNext(await read(world, SHOULD_RUN))).toEqual({ heading: FOR_OWNER, commands });
  });

  test("says so for a paused and for a throttled goal, and says why in one word less", async () => {
    const world = createMachine();
    await connectProject(world);
    await world.call(["goal", "budget", GOAL, "--total-turns=0"]);
    expect(readNext(await read(world, SHOULD_RUN)).heading).toBe(FOR_OWNER);
    await world.call(["goal", "pause", GOAL]);
    expect(readNext(await read(world, SHOULD_RUN)).heading).toBe(FOR_OWNER);
    expect(await read(world, ["quota", "should-run", "--goal-id=none", "--agent-id=codex-main"])).toMatch(
      /^refused\nwhy  no goal .*\n\nnext\n  loopx goal list\n$/,
    );
  });

  test("sends nobody to register in a goal that takes no more work", async () => {
    const world = createMachine();
    await connectProject(world);
    const stranger = ["quota", "should-run", GOAL, "--agent-id=newcomer"];
    expect(await ask(world, stranger)).toMatchObject({
      json: {
        code: "unknown_agent",
        next: ["loopx register-agent --goal-id=project-goal --agent-id=newcomer --execute"],
      },
    });
    await askAsOwner(world, ["goal", "stop", GOAL]);
    expect(await ask(world, stranger)).toMatchObject({
      json: { code: "unknown_agent", next: ["loopx goal show --goal-id=project-goal"] },
    });
  });
});

test("the preview of a registration keeps what was asked for", async () => {
  const world = createMachine();
  await connectProject(world);
  const words = ["register-agent", GOAL, "--agent-id=second", "--require-new"];
  expect(await ask(world, words)).toMatchObject({
    json: { next: ["loopx register-agent --goal-id=project-goal --agent-id=second --require-new --execute"] },
  });
});

test("each change prints one useful next command", async () => {
  const world = createMachine();
  await connectProject(world);
  const todo = await addTodo(world, "Later");
  const gate = await addGate(world, "May I?", `--blocks=${todo}`);
  const show = "loopx status --goal-id=project-goal";
  const cases: readonly (readonly [readonly string[], string])[] = [
    [["todo", "list", GOAL], "loopx todo show --goal-id=project-goal --todo-id="],
    [
      ["todo", "defer", ...LANE, `--todo-id=${todo}`, "--resume=manual"],
      `loopx todo update --goal-id=project-goal --todo-id=${todo} --agent-id=codex-main --status=open`,
    ],
    [["goal", "budget", GOAL, "--total-turns=1"], show],
    [["goal", "pause", GOAL], "loopx goal resume --goal-id=project-goal"],
    [["gate", "decide", GOAL, `--gate-id=${gate}`, "--decision=approve"], show],
    [["goal", "resume", GOAL], show],
  ];
  for (const [words, command] of cases) {
    const { commands } = readNext(await readAsOwner(world, [...words, "--no-color"]));
    expect(commands).toEqual([expect.stringContaining(command)]);
  }
  expect(await readAsOwner(world, ["goal", "resume", GOAL, "--no-color"])).toMatch(/^already active: project-goal\n/);
  await world.call(["goal", "pause", GOAL]);
  expect(await readAsOwner(world, ["goal", "resume", GOAL, "--no-color"])).toMatch(
    /^resumed: project-goal\n.* 1 turn in all\n/,
  );
});

test("a refusal says what to do next", async () => {
  const world = createMachine();
  await connectProject(world);
  await world.call(["register-agent", GOAL, "--agent-id=second", "--execute"]);
  const held = await addTodo(world, "Held");
  const claimed = await world.call(["todo", "claim", ...LANE, `--todo-id=${held}`]);
  const done = await addTodo(world, "Done");
  await world.call(["todo", "complete", ...LANE, `--todo-id=${done}`, "--evidence=done"]);
  const list = "loopx todo list --goal-id=project-goal";
  const cases: readonly (readonly [readonly string[], string, string])[] = [
    [
      ["todo", "claim", GOAL, "--agent-id=second", `--todo-id=${held}`],
      "todo_claimed_by_other",
      readText(claimed, "todo", "claim_expires_at"),
    ],
    [["todo", "claim", ...LANE, `--todo-id=${done}`], "todo_not_open", `loopx todo show ${GOAL} --todo-id=${done}`],
    [["todo", "claim", ...LANE, "--todo-id=todo_000000"], "unknown_todo", list],
    [["quota", "spend", ...LANE, "--turn=turn_000000"], "unknown_turn", `loopx quota status ${GOAL}`],
    [["goal", "show", "--goal-id=none"], "unknown_goal", "loopx goal list"],
  ];
  for (const [words, code, hint] of cases) {
    const refused = await ask(world, words);
    expect({ code: codeOf(refused), hint: readField(refused.json, "error", "hint") }).toEqual({
      code,
      hint: expect.stringContaining(hint),
    });
  }
  await askAsOwner(world, ["goal", "complete", GOAL]);
  const late = await ask(world, ["todo", "add", GOAL, "--text=Too late"]);
  expect({ code: codeOf(late), hint: readField(late.json, "error", "hint") }).toEqual({
    code: "goal_not_active",
    hint: expect.stringContaining("loopx goal show --goal-id=project-goal"),
  });
});
