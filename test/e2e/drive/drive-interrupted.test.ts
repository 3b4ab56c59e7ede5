import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findContradictions, loadProjectState } from "../../support/project-state.ts";
import { readField } from "../../support/read-field.ts";
import { runSql } from "../../support/run-sql.ts";
import { addTodo, createWorkingGoal, type WorkingGoal } from "../../support/working-goal.ts";
import { agentThat, drive, readPids, rowsOf, startDrive, toStorePath, untilGone } from "./drive-world.ts";

let goal: WorkingGoal;
beforeEach(async () => {
  goal = await createWorkingGoal(1);
  await addTodo(goal, "First");
});
afterEach(() => goal.world.remove());

const pidFile = (): string => join(goal.world.directory, "pids");
const settles = (): readonly string[] => agentThat("settles", goal.world.program);

test.each(["SIGINT", "SIGTERM"] as const)("%s ends the command and the loop, with the turn settled", async (signal) => {
  const running = startDrive(goal, agentThat("stays", pidFile()));
  const pids = await readPids(pidFile());
  running.process.kill(signal);
  const { exitCode, stdout } = await running.ended;
  expect(exitCode).toBe(130);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    stopped_by: "interrupted",
    turns: [{ signal: "SIGTERM", ended_by: "interrupt", outcome: "no_change", charged_by: "driver" }],
  });
  await untilGone(pids);
  expect((await rowsOf(goal, "turns")).map(({ state }) => state)).toEqual(["settled"]);
  expect(await drive(goal, settles())).toMatchObject({ exitCode: 0, json: { stopped_by: "done" } });
});

test("a second signal ends a command that heeds none, at once", async () => {
  const running = startDrive(goal, agentThat("stays", pidFile(), "stubborn"));
  const pids = await readPids(pidFile());
  running.process.kill("SIGINT");
  // The first one has been taken once the loop's own sleep or command was told: a signal that is pending is not sent twice.
  await new Promise((resolve) => setTimeout(resolve, 300));
  running.process.kill("SIGINT");
  expect(await running.ended).toMatchObject({ exitCode: 130 });
  await untilGone(pids);
  expect(findContradictions(await loadProjectState(goal.world))).toEqual([]);
});

test("an interrupted wait ends the loop", async () => {
  await goal.world.call(["goal", "budget", `--goal-id=${goal.goalId}`, "--window=1h", "--window-turns=1"]);
  const running = startDrive(goal, agentThat("ends-with", join(goal.world.directory, "runs"), "0"));
  for (let settled = 0; settled < 1;) {
    settled = (await rowsOf(goal, "turns")).filter(({ state }) => state === "settled").length;
  }
  running.process.kill("SIGTERM");
  expect(await running.ended).toMatchObject({ exitCode: 130 });
});

test("a driver killed in the middle leaves a turn that waits for its lease, and the next drive goes on", async () => {
  const running = startDrive(goal, agentThat("stays", pidFile()));
  const pids = await readPids(pidFile());
  const [turn] = await rowsOf(goal, "turns");
  running.process.kill("SIGKILL");
  await running.ended;
  expect(findContradictions(await loadProjectState(goal.world))).toEqual([]);

  // The command may still be at work: nobody else gets the lane before the lease is over.
  expect(await drive(goal, settles(), ["--no-wait"])).toMatchObject({
    exitCode: 0,
    json: { stopped_by: "wait", reason: "turn_open_elsewhere", turn_count: 0 },
  });
  const past = "2026-01-01T00:00:00.000Z";
  runSql(
    toStorePath(goal),
    `UPDATE turns SET lease_expires_at = '${past}'; UPDATE todos SET claim_expires_at = '${past}'`,
  );
  const resumed = await drive(goal, settles());
  expect(resumed).toMatchObject({ exitCode: 0, json: { stopped_by: "done", turn_count: 1 } });
  const turns = await rowsOf(goal, "turns");
  expect(new Set(turns.map(({ state }) => state))).toEqual(new Set(["released", "settled"]));
  expect(turns.length).toBe(2);
  expect(turns.find(({ state }) => state === "released")).toMatchObject({ turn_id: turn?.["turn_id"] });
  for (const pid of pids) process.kill(pid, "SIGKILL");
});

test("the open turn of a killed driver is gone on with at once by its id", async () => {
  const running = startDrive(goal, agentThat("stays", pidFile()));
  const pids = await readPids(pidFile());
  running.process.kill("SIGKILL");
  await running.ended;
  for (const pid of pids) process.kill(pid, "SIGKILL");
  const [turn] = await rowsOf(goal, "turns");
  const result = await drive(goal, settles(), [`--turn=${String(turn?.["turn_id"])}`]);
  expect(result).toMatchObject({ exitCode: 0, json: { stopped_by: "done", turn_count: 1 } });
  expect(readField(result.json, "turns", 0, "turn_id")).toBe(turn?.["turn_id"]);
  expect((await rowsOf(goal, "turns")).length).toBe(1);
});
