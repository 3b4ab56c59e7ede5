import { join } from "node:path";
import { expect, test } from "vitest";
import { readField } from "../../support/read-field.ts";
import { runSql } from "../../support/run-sql.ts";
import { ask, askAsOwner, connectProject, createMachine } from "./machine.ts";

test("completion offers the todos that the verb can act on, of the goal and project that the line names", async () => {
  const world = createMachine();
  await connectProject(world);
  await world.call(["bootstrap", "--goal-id=second-goal", "--objective=Else"]);
  const add = async (...words: readonly string[]): Promise<string> =>
    String(readField(await world.call(["todo", "add", ...words]), "todo", "todo_id"));
  const second = "--goal-id=second-goal";
  const open = await add(second, "--role=agent", "--text=Open");
  const action = await add(second, "--role=user", "--task-class=user_action", "--text=Call");
  const gate = await add(second, "--role=user", "--task-class=user_gate", "--text=May I?", `--blocks=${open}`);
  const done = await add(second, "--role=agent", "--text=Done");
  await askAsOwner(world, ["todo", "complete", second, `--todo-id=${done}`, "--no-follow-up"]);
  const offered = async (...words: readonly string[]): Promise<unknown> =>
    readField(await world.call(["__complete", ...words]), "ids");
  expect(await offered("--kind=todo", "--state=claimable", second)).toEqual([open]);
  expect(await offered("--kind=todo", "--state=work", second)).toEqual([open, action]);
  expect(await offered("--kind=todo", "--state=live", second)).toEqual([open, action, gate]);
  expect(await offered("--kind=todo", "--state=finished", second)).toEqual([done]);
  expect(await offered("--kind=todo", second)).toEqual([open, action, gate, done]);
  expect(await offered("--kind=todo", "--state=finished", "--goal-id=project-goal")).not.toContain(done);
  const elsewhere = { cwd: world.directory };
  const named = await world.call(["__complete", "--kind=gate", `--project=${world.project}`], elsewhere);
  expect(readField(named, "ids")).toEqual([gate]);
  runSql(
    join(world.project, ".loopx", "state.db"),
    `UPDATE todos SET todo_id = 'todo_$(id)' WHERE todo_id = '${open}'`,
  );
  expect(await offered("--kind=todo", "--state=work", second)).toEqual([action]);
  expect((await ask(world, ["status", second])).exitCode).toBe(0);
});
