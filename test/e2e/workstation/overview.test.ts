import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createGate } from "../../support/create-gate.ts";
import { fillWithTodos } from "../../support/fill-with-todos.ts";
import { readField } from "../../support/read-field.ts";
import { runSql } from "../../support/run-sql.ts";
import { addTodo, createWorkingGoal, openTurn, type WorkingGoal } from "../../support/working-goal.ts";
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
  await server?.stop();
  goal?.world.remove();
});

const get = async (path: string): Promise<unknown> =>
  (await server.ask(`/api/overview${path}`, { headers: { cookie } })).json;

test("what was finished counts from the moment that was named", async () => {
  const id = await addTodo(goal, "Finish me");
  const named = [`--goal-id=${goal.goalId}`, "--agent-id=agent-1", `--todo-id=${id}`];
  await goal.world.call(["todo", "claim", ...named]);
  await goal.world.call(["todo", "complete", ...named, "--evidence=ok", "--next-todo=Work"]);
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  const soon = new Date(Date.now() + 60_000).toISOString();
  expect(await get(`?since=${hourAgo}`)).toMatchObject({
    since: { done_count: 1, done: [{ todo_id: id, title: "Finish me", type: "todo_completed.v1" }] },
  });
  expect(await get(`?since=${soon}`)).toMatchObject({ since: { done_count: 0, done: [] } });
  expect(await get("?since=yesterday")).toMatchObject({ error: { code: "invalid_value" } });
});

test("every open goal is in one lane, and says why and what is safe to do next", async () => {
  const { world, goalId } = goal;
  expect(readField(await get(""), "goals")).toMatchObject({
    rows: [{ goal_id: goalId, lane: "in_progress", why: "agent-1 can take the next todo.", runnable_count: 1 }],
    next_cursor: null,
  });
  const gateId = await createGate(goal, { question: "May I?", blocks: "goal" });
  expect(readField(await get(""), "goals")).toMatchObject({
    rows: [{ lane: "needs_you", why: "1 gate to be answered.", next: { label: "Decide", todo_id: gateId } }],
  });
  expect(await get("")).toMatchObject({
    lanes: { needs_you: 1, in_progress: 0, watching: 0, held: 0 },
    ask_count: 1,
    asks: { rows: [{ todo_id: gateId, question: "May I?", why: "The whole goal waits for your answer." }] },
    connect_command: null,
  });
  const other = world.addProject("other");
  await world.call(["bootstrap", "--objective=Another"], { cwd: other });
  await world.call(["goal", "pause", "--reason=Later"], { cwd: other });
  expect(await get("")).toMatchObject({ lanes: { needs_you: 1, held: 1 }, project_count: 2 });
  expect(readField(await get(""), "goals", "rows", 1)).toMatchObject({ lane: "held", status: "paused" });
});

test("what failed is counted behind any number of other risks", async () => {
  const crowded = await createWorkingGoal(1);
  await addTodo(crowded, "Work");
  await openTurn(crowded);
  fillWithTodos(crowded, { like: await addTodo(crowded, "Like this"), count: 300, text: `ghp_${"a1B2".repeat(9)}` });
  const store = join(crowded.world.project, ".loopx", "state.db");
  runSql(store, "UPDATE turns SET lease_expires_at = '2026-01-01T00:00:00.000Z'");
  expect(JSON.stringify(await crowded.world.call(["global-risks"]))).toContain("credential_in_text");
  const other = await startWorkstation(crowded.world);
  const path = "/api/overview?since=2025-12-31T00:00:00.000Z";
  const answer = await other.ask(path, { headers: { cookie: await other.signIn() } });
  expect(answer.json).toMatchObject({ since: { failed_count: 1, failed: [{ kind: "turn_past_lease" }] } });
  await other.stop();
  crowded.world.remove();
});

test("a machine without a project is told how to connect one", async () => {
  const empty = await createWorkingGoal(0);
  const alone = await startWorkstation({
    ...empty.world,
    env: { ...empty.world.env, LOOPX_HOME: `${empty.world.home}/none` },
  });
  const answer = await alone.ask("/api/overview", { headers: { cookie: await alone.signIn() } });
  expect(readField(answer.json, "connect_command")).toContain("loopx bootstrap");
  await alone.stop();
  empty.world.remove();
});

test("a list goes on behind its cursor and takes no other", async () => {
  const { goalId } = goal;
  expect(await get(`/goals?cursor=0,${goalId}`)).toMatchObject({ rows: [{ lane: "held" }], next_cursor: null });
  expect(await get(`/goals?cursor=3,zzz`)).toEqual({ rows: [], next_cursor: null });
  expect(await get("/goals?cursor=nonsense")).toMatchObject({ error: { code: "invalid_value" } });
  expect(await get("/asks")).toMatchObject({ error: { code: "invalid_value" } });
});
