import { closeSync, copyFileSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findContradictions, loadProjectState } from "../../support/project-state.ts";
import { findRefusedCommands } from "../../support/printed-commands.ts";
import { readField } from "../../support/read-field.ts";
import { runProgram } from "../../support/run-program.ts";
import { verifies } from "../../support/verifies.ts";
import { addTodo, createWorkingGoal, openTurn, type WorkingGoal } from "../../support/working-goal.ts";
import { agentThat, drive, driveWords, readPids, rowsOf, untilGone } from "./drive-world.ts";

let goal: WorkingGoal;
beforeEach(async () => {
  goal = await createWorkingGoal(1);
});
afterEach(() => goal.world.remove());

const settles = (mode = "all"): readonly string[] => agentThat("settles", goal.world.program, mode);
const endsWith = (exitCode: number, ...words: readonly string[]): readonly string[] =>
  agentThat("ends-with", join(goal.world.directory, "runs"), String(exitCode), ...words);

function listRuns(): readonly unknown[] {
  const lines = readFileSync(join(goal.world.directory, "runs"), "utf8").trimEnd().split("\n");
  return lines.map((line): unknown => JSON.parse(line));
}

describe("a driven agent", () => {
  test("is run turn after turn until the goal is done; what it settles itself stays as it is", async () => {
    verifies("activation.custom-driver");
    const todos = [await addTodo(goal, "First"), await addTodo(goal, "Second")];
    const result = await drive(goal, settles());
    expect(result).toMatchObject({
      exitCode: 0,
      json: {
        ok: true,
        stopped_by: "done",
        reason: "goal_completed",
        turn_count: 2,
        failed_turn_count: 0,
        turns: todos.map((todo) => ({
          todo_id: todo,
          exit_code: 0,
          outcome: "progress",
          evidence_by: "agent",
          charged_by: "agent",
        })),
      },
    });
    expect(findRefusedCommands(result.json)).toEqual([]);
    // Its output is passed on, beside the one document.
    for (const todo of todos) expect(result.stderr).toContain(`working on ${todo} as agent-1\n`);
    expect(findContradictions(await loadProjectState(goal.world))).toEqual([]);
  });

  test("is seen at work: its output goes where the driver's goes, between lines that say what happens", async () => {
    const todo = await addTodo(goal, "First");
    const { world } = goal;
    const words = [world.program, ...driveWords(goal, settles())];
    const { stdout, stderr } = await runProgram(process.execPath, words, { cwd: world.project, env: world.env });
    expect(stdout).toMatch(
      new RegExp(`^working on ${todo} as agent-1\ndrive ended: the goal is done\n {2}1 turn, 0 failed\n`),
    );
    expect(stderr).toMatch(
      /^driving agent-1 on .*: Ctrl-C .*\nturn_\w+: First\nturn_\w+: exit code 0 after \d+s; progress recorded by the agent, charged by the agent\n$/,
    );
  });

  test("that recorded but did not charge has its turn charged, once", async () => {
    await addTodo(goal, "First");
    expect(await drive(goal, settles("record"), ["--max-turns=1"])).toMatchObject({
      exitCode: 0,
      json: {
        stopped_by: "max_turns",
        failed_turn_count: 0,
        turns: [{ outcome: "progress", evidence_by: "agent", charged_by: "driver" }],
      },
    });
    const turns = await rowsOf(goal, "turns");
    expect(turns.map(({ state }) => state)).toEqual(["settled"]);
  });

  test.each([
    [0, "with exit code 0"],
    [3, "with exit code 3"],
  ])("that ends with %i and shows nothing is recorded as no_change, and given up in the end", async (code, how) => {
    await addTodo(goal, "First");
    const result = await drive(goal, endsWith(code, "$(touch x)", "`id`", "; exit"), ["--max-failures=2"]);
    expect(result).toMatchObject({
      exitCode: 1,
      json: { ok: false, stopped_by: "failing", turn_count: 2, failed_turn_count: 2 },
    });
    expect(findRefusedCommands(result.json)).toEqual([]);
    const evidence = await rowsOf(goal, "evidence");
    expect(evidence.map(({ outcome }) => outcome)).toEqual(["no_change", "no_change"]);
    for (const { text } of evidence)
      expect(text).toMatch(new RegExp(`^The driven command ended ${how} after \\d+s and recorded nothing\\.$`));
    const todos = await rowsOf(goal, "todos");
    expect(todos.map(({ status }) => status)).toEqual(["open"]);
    const events = await rowsOf(goal, "events");
    const recorders = events.filter(({ type }) => type === "evidence_recorded.v1").map(({ actor }) => actor);
    expect(recorders).toEqual(Array(2).fill('{"kind":"process","host":"loopx-drive"}'));
    const words = ["$(touch x)", "`id`", "; exit"];
    expect(listRuns()).toEqual([words, words]);
  });

  test.skipIf(process.platform !== "linux")("that can't be started ends the drive, with its turn settled", async () => {
    await addTodo(goal, "First");
    const program = join(goal.world.directory, "busy");
    copyFileSync("/bin/true", program);
    const writer = openSync(program, "r+");
    const result = await drive(goal, [program]);
    closeSync(writer);
    expect(result).toMatchObject({ exitCode: 1, json: { stopped_by: "failing", turn_count: 1 } });
    expect(await rowsOf(goal, "evidence")).toMatchObject([{ text: "The driven command could not be started." }]);
    expect(await rowsOf(goal, "turns")).toMatchObject([{ state: "settled" }]);
  });

  test("gets a prompt around its packet where one is asked for", async () => {
    const todo = await addTodo(goal, "First");
    const prints = [process.execPath, "-e", "process.stdin.pipe(process.stdout)"];
    const { stderr } = await drive(goal, prints, ["--max-turns=1", "--input=prompt"]);
    const prompt = stderr.slice(stderr.indexOf("You are agent agent-1 on LoopX goal"), stderr.lastIndexOf("}") + 1);
    const packet: unknown = JSON.parse(prompt.slice(prompt.indexOf("{")));
    expect(packet).toMatchObject({ decision: "run", todo: { todo_id: todo } });
  });

  test("leaves nothing of its group behind", async () => {
    await addTodo(goal, "First");
    const pidFile = join(goal.world.directory, "left");
    expect(await drive(goal, agentThat("leaves", pidFile), ["--max-turns=1"])).toMatchObject({
      json: { turns: [{ exit_code: 0 }] },
    });
    await untilGone(await readPids(pidFile));
  });

  test("ends at its time limit with all that it started, stubborn or not", async () => {
    await addTodo(goal, "First");
    for (const [temper, signal] of [
      ["mild", "SIGTERM"],
      ["stubborn", "SIGKILL"],
    ] as const) {
      const pidFile = join(goal.world.directory, temper);
      const flags = ["--turn-timeout=1s", "--max-turns=1"];
      expect(await drive(goal, agentThat("stays", pidFile, temper), flags)).toMatchObject({
        exitCode: 0,
        json: { failed_turn_count: 1, turns: [{ exit_code: null, signal, ended_by: "timeout", outcome: "no_change" }] },
      });
      await untilGone(await readPids(pidFile));
    }
  });
});

describe("a drive stops when told", () => {
  const owner = 3;

  test.each<[string, () => Promise<unknown>, number, object]>([
    [
      "a gate",
      () =>
        goal.world.call([
          "todo",
          "add",
          `--goal-id=${goal.goalId}`,
          "--role=user",
          "--task-class=user_gate",
          "--text=Ship?",
        ]),
      owner,
      { stopped_by: "ask_user", reason: "gate" },
    ],
    ["a pause", () => goal.world.call(["goal", "pause", `--goal-id=${goal.goalId}`]), owner, { stopped_by: "paused" }],
    [
      "a budget that is used up",
      () => goal.world.call(["goal", "budget", `--goal-id=${goal.goalId}`, "--total-turns=0"]),
      owner,
      { stopped_by: "throttled", reason: "budget_total" },
    ],
    [
      "a time to wait for, where it may not wait",
      async () => {
        const [todo] = await rowsOf(goal, "todos");
        const words = ["todo", "defer", `--goal-id=${goal.goalId}`, `--todo-id=${String(todo?.["todo_id"])}`];
        await goal.world.call([...words, "--agent-id=agent-1", "--resume=after:2099-01-01T00:00:00Z"]);
      },
      0,
      { stopped_by: "wait", reason: "deferred_until" },
    ],
  ])("%s", async (_case, prepare, exitCode, packet) => {
    await addTodo(goal, "First");
    await prepare();
    const result = await drive(goal, endsWith(0), ["--no-wait"]);
    expect(result).toMatchObject({ exitCode, json: { ok: exitCode === 0, turn_count: 0, ...packet } });
    expect(findRefusedCommands(result.json)).toEqual([]);
    expect(JSON.stringify(readField(result.json, "next"))).toContain("loopx ");
  });

  test("an agent or goal that is not known, with the exit code of that", async () => {
    const words = ["drive", `--goal-id=${goal.goalId}`, "--agent-id=nobody", "--", ...endsWith(0)];
    expect(await goal.world.run(words)).toMatchObject({
      exitCode: 4,
      json: {
        ok: false,
        stopped_by: "refused",
        code: "unknown_agent",
        next: [`loopx register-agent --goal-id=${goal.goalId} --agent-id=nobody --execute`],
      },
    });
  });

  test("charges a turn that was shown and completed but not charged, and goes on", async () => {
    await addTodo(goal, "First");
    const turn = await openTurn(goal);
    const named = [`--goal-id=${goal.goalId}`, "--agent-id=agent-1", `--turn=${turn.turnId}`];
    await goal.world.call(["refresh-state", ...named, "--outcome=primary_outcome", "--evidence=done"]);
    await addTodo(goal, "Second");
    await goal.world.call(["todo", "complete", ...named, `--todo-id=${turn.todoId}`]);
    expect(await drive(goal, settles(), [`--turn=${turn.turnId}`])).toMatchObject({
      exitCode: 0,
      json: { stopped_by: "done", turn_count: 1 },
    });
    expect((await rowsOf(goal, "turns")).map(({ state }) => state)).toEqual(["settled", "settled"]);
  });
});

describe("a drive is never headless by surprise", () => {
  test.each([["LOOPX_AGENT"], ["CLAUDECODE"], ["CODEX_THREAD_ID"]])("it is not started under %s", async (marker) => {
    verifies("hosts.no-hidden-runner");
    await addTodo(goal, "First");
    const env = { [marker]: "1" };
    expect(await drive(goal, endsWith(0), [], { env })).toMatchObject({
      exitCode: 3,
      json: { error: { code: "gate_needs_owner" } },
    });
    expect(await rowsOf(goal, "turns")).toEqual([]);
    expect(await drive(goal, endsWith(0), ["--dry-run"], { env })).toMatchObject({ exitCode: 0 });
  });

  test("a dry run says what it would do, and does nothing", async () => {
    await addTodo(goal, "First");
    const before = await loadProjectState(goal.world);
    const flags = ["--dry-run", "--turn-timeout=20m", "--max-turns=4"];
    expect(await drive(goal, ["node", "/home/someone/agent.js"], flags)).toMatchObject({
      exitCode: 0,
      json: {
        dry_run: true,
        decision: "run",
        would: "take_turn",
        command: ["node", expect.not.stringContaining("someone")],
        turn_timeout: "20m",
        max_turns: 4,
      },
    });
    expect(await loadProjectState(goal.world)).toEqual(before);
  });

  test.each([
    [["no-such-program"], "invalid_value"],
    [["./no-such-file"], "invalid_value"],
    [["/dev/null"], "invalid_value"],
    [[], "usage"],
  ])("a command %j is refused before a turn is opened", async (agent, code) => {
    await addTodo(goal, "First");
    expect(await drive(goal, agent)).toMatchObject({ exitCode: 2, json: { error: { code } } });
    expect(await rowsOf(goal, "turns")).toEqual([]);
  });
});
