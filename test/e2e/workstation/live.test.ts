import { afterAll, beforeAll, expect, test } from "vitest";
import { addTodo, createWorkingGoal, type WorkingGoal } from "../../support/working-goal.ts";
import { startWorkstation, type WorkstationServer } from "../../support/workstation-server.ts";

let goal: WorkingGoal;
let server: WorkstationServer;
let cookie: string;
beforeAll(async () => {
  goal = await createWorkingGoal(1);
  server = await startWorkstation(goal.world);
  cookie = await server.signIn();
});
afterAll(async () => {
  await server.stop();
  goal.world.remove();
});

test("what another process adds is announced to every page that listens, with its goal", async () => {
  const pages = [await server.follow(cookie), await server.follow(cookie)];
  for (const text of ["first", "second", "third"]) {
    const announced = pages.map((page) => page.next(new RegExp(`^event: change\\ndata: .*"goal:${goal.goalId}"`)));
    await addTodo(goal, text);
    for (const event of await Promise.all(announced)) expect(event).toContain('"overview"');
  }
  for (const page of pages) page.close();
});

test("a goal that is new on this machine is announced, and what is added to it from then on", async () => {
  const page = await server.follow(cookie);
  const announced = page.next(/"overview"/);
  const { world } = goal;
  const project = world.addProject("another");
  await world.call(["bootstrap", "--objective=Another one", "--goal-id=another-goal"], { cwd: project });
  await announced;
  const added = page.next(/"goal:another-goal"/);
  await world.call(
    ["todo", "add", "--goal-id=another-goal", "--role=user", "--task-class=user_action", "--text=look"],
    { cwd: project },
  );
  await added;
  page.close();
});

test("a read announces nothing", async () => {
  // One that begins after the last write: nothing of before is left to be told.
  const fresh = await startWorkstation(goal.world);
  const page = await fresh.follow(await fresh.signIn());
  const next = page.next(/^event: change/);
  const heard: string[] = [];
  void next.then((event) => heard.push(event)).catch(() => undefined);
  await goal.world.call(["status"]);
  await goal.world.call(["global-summary"]);
  // Two looks later something that does change is the first to be heard of.
  expect(heard).toEqual([]);
  await addTodo(goal, "fourth");
  expect(await next).toContain(goal.goalId);
  page.close();
  await fresh.stop();
});
