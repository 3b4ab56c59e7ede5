import { afterAll, beforeAll, expect, test } from "vitest";
import { createWorkingGoal, type WorkingGoal } from "../../support/working-goal.ts";
import { readField } from "../../support/read-field.ts";
import { runProgram } from "../../support/run-program.ts";

let goal: WorkingGoal;
beforeAll(async () => {
  goal = await createWorkingGoal(1);
});
afterAll(() => goal.world.remove());

/** From so few that Node itself can't start to more than a command needs. */
const LIMITS = [17, 18, 19, 20, 21, 22, 24, 28];

test("a process that may open few files adds a todo whole or says why not, and stores no half", async () => {
  const { world, goalId } = goal;
  const added: string[] = [];
  const refused: unknown[] = [];
  for (const limit of LIMITS) {
    const text = `with ${limit}`;
    const words = [world.program, "--json", "todo", "add", `--goal-id=${goalId}`, `--text=${text}`];
    const { exitCode, json } = await runProgram(
      "sh",
      ["-c", 'ulimit -n "$1"; shift; exec "$@"', "sh", String(limit), process.execPath, ...words],
      { cwd: world.project, env: world.env },
    );
    if (exitCode === 0) added.push(text);
    // Below what Node needs to read our first file there is nobody to say anything.
    else if (json !== undefined) refused.push(readField(json, "error", "category"));
  }
  expect(added.length).toBeGreaterThan(0);
  expect(added.length).toBeLessThan(LIMITS.length);
  expect(new Set(refused).size).toBeLessThanOrEqual(1);
  for (const category of refused) expect(["store", "environment"]).toContain(category);
  const listed = await world.call(["todo", "list", `--goal-id=${goalId}`, "--limit=100"]);
  const texts = (readField(listed, "todos") as readonly { readonly text: string }[]).map((todo) => todo.text);
  expect(texts.toSorted((left, right) => left.localeCompare(right))).toEqual(
    added.toSorted((left, right) => left.localeCompare(right)),
  );
  expect(await world.call(["doctor", "--deep"])).toMatchObject({ ok: true });
});
