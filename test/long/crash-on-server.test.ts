import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { findContradictions, listEventTypes, listRows, loadProjectState } from "../support/project-state.ts";
import { readField } from "../support/read-field.ts";
import type { ProgramResult } from "../support/run-program.ts";
import { hasStrace, killAtSystemCall, recordNetworkCalls } from "../support/system-calls.ts";
import { addTodo, createWorkingGoal, nameTurn, openTurn, type WorkingGoal } from "../support/working-goal.ts";

const server = inject("postgres");
const url = "url" in server ? server.url : "";

/** Kills of one command, evenly over the calls by which it speaks to the server. */
const KILLS = 6;
/** What a command may answer whose connection the server ended: that nothing was written, or that nobody knows. */
const LOST = ["store_unreachable", "store_failed"];

/** Each commits once. Given again, each says that it is so already. */
const COMMANDS: readonly (readonly [string, (goal: WorkingGoal, round: number) => Promise<readonly string[]>])[] = [
  ["todo add", async ({ goalId }, round) => ["todo", "add", `--goal-id=${goalId}`, `--text=Write part ${round}`]],
  [
    "register-agent",
    async ({ goalId }, round) => ["register-agent", `--goal-id=${goalId}`, `--agent-id=lane-${round}`, "--execute"],
  ],
  [
    "quota spend",
    async (goal, round) => {
      await addTodo(goal, `Spend on part ${round}`);
      const turn = nameTurn(goal, await openTurn(goal));
      await goal.world.call(["refresh-state", ...turn, "--outcome=progress", "--evidence=12 tests pass"]);
      await goal.world.call(["todo", "complete", ...turn, "--evidence=done", "--no-follow-up"]);
      return ["quota", "spend", ...turn];
    },
  ],
];

const CONNECTS = { name: "connect", occurrence: 1, subject: "the connection" };
/** By then it has said what came of it. */
const ENDS = { name: "exit_group", occurrence: 1, subject: "its end" };

describe.skipIf(!("url" in server))("a command whose state a server keeps", () => {
  let goal: WorkingGoal;
  let round = 0;
  beforeAll(async () => {
    process.env["TESTED_STORE_URL"] = url;
    goal = await createWorkingGoal(1);
    // The goal ends with its last todo that has no follow-up.
    await addTodo(goal, "Stay open", ["--priority=P4"]);
  });
  afterAll(() => {
    delete process.env["TESTED_STORE_URL"];
    goal.world.remove();
  });

  const count = async (): Promise<number> => listEventTypes(await loadProjectState(goal.world)).length;

  /** Whole state in which the command was done or not, and done once when it is given again. */
  const expectWhole = async (args: readonly string[], ended: ProgramResult, before: number): Promise<boolean> => {
    const left = await loadProjectState(goal.world);
    expect(findContradictions(left)).toEqual([]);
    const events = listEventTypes(left).length;
    const isKept = events > before;
    if (readField(ended.json, "ok") === true) expect(isKept, "reported, but lost").toBe(true);
    const again = await goal.world.run(args);
    expect(again, again.stdout).toMatchObject({ exitCode: 0 });
    const state = await loadProjectState(goal.world);
    expect(findContradictions(state)).toEqual([]);
    if (isKept) expect(listEventTypes(state).length, "given again, done twice").toBe(events);
    const texts = listRows(state, "todos").map((row) => row["text"]);
    expect(texts).toEqual([...new Set(texts)]);
    return isKept;
  };

  test.skipIf(!hasStrace).each(COMMANDS)(
    "%s, killed at calls to the server, is done whole or not at all",
    async (_, line) => {
      const isKept: boolean[] = [];
      const calls = await recordNetworkCalls(goal.world, await line(goal, (round += 1)));
      expect(calls.length).toBeGreaterThan(KILLS);
      for (let kill = 1; kill <= KILLS; kill += 1) {
        // How often it reads and wakes its threads differs from run to run: only the first and the last call are sure.
        const call = kill === 1 ? CONNECTS : kill === KILLS ? ENDS : calls[Math.floor((kill * calls.length) / KILLS)];
        if (call === undefined) throw new Error("no call to kill at");
        const args = await line(goal, (round += 1));
        const before = await count();
        isKept.push(await expectWhole(args, await killAtSystemCall(goal.world, args, call), before));
      }
      expect([isKept.includes(true), isKept.includes(false)]).toEqual([true, true]);
    },
  );

  test("whose connection the server ends says that it is lost, and is done whole or not at all", async () => {
    const killer = new Client({ connectionString: url });
    await killer.connect();
    let lost = 0;
    let isOver = false;
    const ours =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'";
    try {
      for (let tries = 0; tries < 12 || lost === 0; tries += 1) {
        if (tries > 60) throw new Error("the server never ended a connection in the middle");
        const args = ["todo", "add", `--goal-id=${goal.goalId}`, `--text=Lose part ${(round += 1)}`];
        const before = await count();
        isOver = false;
        const ending = (async () => {
          while (!isOver) if ((await killer.query(ours)).rowCount !== 0 && tries % 3 !== 0) return;
        })();
        const ended = await goal.world.run(args);
        isOver = true;
        await ending;
        const code = readField(ended.json, "error", "code");
        if (ended.exitCode !== 0) {
          expect(LOST).toContain(code);
          expect(ended.exitCode).toBe(5);
          lost += 1;
        }
        await expectWhole(args, ended, before);
      }
    } finally {
      isOver = true;
      await killer.end();
    }
  });
});
