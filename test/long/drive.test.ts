import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addTodo, createWorkingGoal, type WorkingGoal } from "../support/working-goal.ts";
import { agentThat, drive, readPids, rowsOf, startDrive, untilGone } from "../e2e/drive/drive-world.ts";

let goal: WorkingGoal;
beforeEach(async () => {
  goal = await createWorkingGoal(1);
  await addTodo(goal, "First");
});
afterEach(() => goal.world.remove());

test("a second driver of a lane waits for the first one's lease, sees that it lives, and ends without a turn", async () => {
  const pidFile = join(goal.world.directory, "pids");
  const first = startDrive(goal, agentThat("stays", pidFile), "--max-turns=1");
  const pids = await readPids(pidFile);
  const [before] = await rowsOf(goal, "turns");
  const second = await drive(goal, agentThat("settles", goal.world.program));
  const [after] = await rowsOf(goal, "turns");
  expect(second).toMatchObject({
    exitCode: 1,
    json: { ok: false, stopped_by: "driven_elsewhere", reason: "turn_open_elsewhere", turn_count: 0 },
  });
  expect(after?.["turn_id"]).toBe(before?.["turn_id"]);
  expect(String(after?.["lease_expires_at"]) > String(before?.["lease_expires_at"])).toBe(true);
  first.process.kill("SIGTERM");
  await first.ended;
  await untilGone(pids);
});
