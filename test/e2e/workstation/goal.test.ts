import { afterAll, beforeAll, expect, test } from "vitest";
import { createGate } from "../../support/create-gate.ts";
import { createOwnerToken } from "../../support/create-owner-token.ts";
import { readField, readText } from "../../support/read-field.ts";
import { addTodo, createWorkingGoal, nameTurn, openTurn, type WorkingGoal } from "../../support/working-goal.ts";
import { startWorkstation, type HttpAnswer, type WorkstationServer } from "../../support/workstation-server.ts";

let goal: WorkingGoal;
let server: WorkstationServer;
let cookie: string;

beforeAll(async () => {
  goal = await createWorkingGoal(2);
  const token = await createOwnerToken(goal.world);
  server = await startWorkstation(goal.world, { flags: [`--owner-token-file=${token}`] });
  cookie = await server.signIn();
});
afterAll(async () => {
  await server?.stop();
  goal?.world.remove();
});

const get = async (path: string): Promise<unknown> => {
  const answer = await server.ask(`/api/goals/${goal.goalId}${path}`, { headers: { cookie } });
  expect(answer.text).not.toContain(goal.world.directory);
  return answer.json;
};
const post = (path: string, body: object, by = { server, cookie }): Promise<HttpAnswer> =>
  by.server.ask(`/api/goals/${goal.goalId}${path}`, {
    method: "POST",
    headers: { cookie: by.cookie, origin: by.server.url },
    body,
  });
const seqNow = async (): Promise<number> => Number(readField(await get(""), "seq"));

function listTodoIds(then: unknown): readonly unknown[] {
  const rows = readField(then, "todos", "rows");
  return Array.isArray(rows) ? rows.map((row) => readField(row, "todo_id")) : [];
}

test("a gate is decided by the owner through the Workstation, after a preview that changes nothing", async () => {
  const todoId = await addTodo(goal, "Publish it");
  const gateId = await createGate(goal, { question: "May I?", blocks: todoId });
  expect(await get("")).toMatchObject({
    gates: [{ gate_id: gateId, question: "May I?", blocks: [{ target: todoId, title: "Publish it" }], decision: null }],
    gate_count: 1,
  });
  const seq = await seqNow();
  const verdict = { decision: "reject", reason: "not on a Friday", seq };
  const preview = await post(`/gates/${gateId}/decision`, { ...verdict, preview: true });
  expect(preview.json).toMatchObject({ ok: true, dry_run: true, changed: true, affected_todo_ids: [todoId] });
  expect(await seqNow()).toBe(seq);

  const decided = await post(`/gates/${gateId}/decision`, { ...verdict, preview: false });
  expect(decided.json).toMatchObject({
    changed: true,
    gate: { decision: "rejected", decided_by: "owner:workstation", reason: "not on a Friday" },
    affected_todo_ids: [todoId],
  });
  const history = await goal.world.call(["history", `--goal-id=${goal.goalId}`, "--limit=2"]);
  expect(history).toMatchObject({
    events: [
      { type: "todo_updated.v1", actor: "owner:workstation" },
      { type: "gate_decided.v1", actor: "owner:workstation" },
    ],
  });
});

test("of two who decide on the same sight of a gate, the later one is told who decided what", async () => {
  const gateId = await createGate(goal, { question: "And now?", blocks: "agent:agent-2" });
  const seq = await seqNow();
  const send = (decision: string): Promise<HttpAnswer> =>
    post(`/gates/${gateId}/decision`, { decision, seq, preview: false });
  const answers = await Promise.all([send("approve"), send("defer")]);
  const [won, lost] = answers.toSorted((left, right) => left.status - right.status);
  expect([won?.status, lost?.status]).toEqual([200, 409]);
  expect(lost?.json).toMatchObject({
    ok: false,
    error: {
      code: "gate_already_decided",
      details: { by: "owner:workstation", decision: readText(won?.json, "gate", "decision") },
    },
  });
});

test.each([
  ["an agent's host", { CLAUDECODE: "1" }],
  ["loopx drive", { LOOPX_AGENT: "agent-2" }],
  ["a program without a terminal", {}],
])("a server that %s started decides nothing, and refuses in the words of the command line", async (who, env) => {
  const gateId = await createGate(goal, { question: `By ${who}?`, blocks: "agent:agent-2" });
  const agents = await startWorkstation(goal.world, { env });
  const by = { server: agents, cookie: await agents.signIn() };
  const seq = await seqNow();
  for (const preview of [true, false]) {
    const { status, json } = await post(`/gates/${gateId}/decision`, { decision: "approve", seq, preview }, by);
    const words = await goal.world.run(["gate", "decide", `--gate-id=${gateId}`, "--decision=approve"]);
    expect(status).toBe(403);
    expect(readField(json, "error", "code")).toBe("gate_needs_owner");
    expect(readField(json, "error", "message")).toBe(readField(words.json, "error", "message"));
  }
  expect(await seqNow()).toBe(seq);
  await agents.stop();
});

test("a goal is paused, resumed and given a budget, and not on what somebody changed meanwhile", async () => {
  const seq = await seqNow();
  const paused = await post("/status", { action: "pause", reason: "the release", seq });
  expect(paused.json).toMatchObject({ changed: true, goal: { status: "paused", reason: "the release" } });
  const stale = await post("/status", { action: "resume", seq });
  expect(stale.json).toMatchObject({
    error: { code: "goal_revision_conflict", details: { type: "goal_paused.v1", by: "owner:workstation" } },
  });
  const resumed = await post("/status", { action: "resume", seq: seq + 1 });
  expect(resumed.json).toMatchObject({ goal: { status: "active" } });
  const limits = { total_turns: 40, window_turns: 5, window: "1d", seq: seq + 2 };
  expect((await post("/budget", limits)).json).toMatchObject({ changed: true });
  expect((await post("/budget", { ...limits, total_turns: 50 })).json).toMatchObject({
    error: { code: "goal_revision_conflict", details: { by: "owner:workstation" } },
  });
  expect(await get("")).toMatchObject({
    goal: { status: "active", budget_total_turns: 40, budget_window_turns: 5, budget_window: "1d" },
  });
  const lifted = await post("/budget", { total_turns: null, window_turns: null, seq: seq + 3 });
  expect(lifted.json).toMatchObject({ changed: true });
  expect(await get("")).toMatchObject({ goal: { budget_total_turns: null, budget_window: null } });
});

test("the board has each todo in one column, with its claim, what it waits for and its evidence", async () => {
  const first = await addTodo(goal, "[P0] Comes first");
  const later = ["--text=Comes later", `--depends-on=${first}`];
  const added = await goal.world.call([
    "todo",
    "add",
    `--goal-id=${goal.goalId}`,
    "--role=agent",
    "--agent-id=agent-1",
    ...later,
  ]);
  const turn = await openTurn(goal);
  expect(turn.todoId).toBe(first);
  await goal.world.call(["refresh-state", ...nameTurn(goal, turn), "--evidence=It runs", "--outcome=progress"]);
  expect(await get("/todos?column=claimed")).toMatchObject({
    rows: [{ todo_id: first, priority: "P0", claimed_by: "agent-1", evidence_count: 1 }],
    next_cursor: null,
  });
  expect(readField(await get("/todos?column=open"), "rows")).toContainEqual(
    expect.objectContaining({ todo_id: readText(added, "todo", "todo_id"), blocked_by: [first] }),
  );
  expect(await get(`/todos/${first}`)).toMatchObject({
    todo: { status: "open" },
    evidence: [{ text: "It runs", outcome: "progress", agent_id: "agent-1" }],
    turns: [{ turn_id: turn.turnId, state: "open" }],
  });
  expect(await get("")).toMatchObject({ agents: [{ agent_id: "agent-1", open_turn: { turn_id: turn.turnId } }, {}] });
});

test("a goal is shown as it was after any event or at any moment", async () => {
  const before = await seqNow();
  const todoId = await addTodo(goal, "Later than that");
  const then = await get(`/at/${before}`);
  expect(then).toMatchObject({ seq: before, last_seq: before + 1, objective: "Ship the importer" });
  expect(listTodoIds(then)).not.toContain(todoId);
  expect(listTodoIds(await get(`/at/${before + 1}`))).toContain(todoId);
  expect(listTodoIds(await get("/at/2100-01-01T00:00:00Z"))).toContain(todoId);
  expect(await get("/at/1990-01-01T00:00:00Z")).toMatchObject({ error: { code: "invalid_value" } });
});

test("what was compacted is in the timeline, and from there on a goal is shown as it was", async () => {
  await addTodo(goal, "Before");
  const before = await seqNow();
  const then = await get(`/at/${before}`);
  const token = await createOwnerToken(goal.world, "gc-token");
  const done = await goal.world.call(["gc", "--keep-events=0", "--execute", `--owner-token-file=${token}`]);
  const archive = readText(done, "goals", 0, "archives", 0);
  expect(await get(`/at/${before}`)).toEqual({ ...Object(then), first_seq: before, last_seq: before + 1 });
  expect(await get(`/at/${before - 1}`)).toMatchObject({ error: { code: "history_compacted" } });
  expect(await get("/at/1990-01-01T00:00:00Z")).toMatchObject({ error: { code: "history_compacted" } });
  expect(readField(await get("/events"), "rows", 0)).toMatchObject({
    type: "events_compacted.v1",
    title: archive,
    by: "owner:token",
  });
});

test("what a request may not say is refused with the member's name", async () => {
  const gateId = await createGate(goal, { question: "Well?", blocks: "agent:agent-2" });
  const seq = await seqNow();
  for (const [path, body, field] of [
    [`/gates/${gateId}/decision`, { decision: "yes", seq, preview: false }, "decision"],
    [`/gates/${gateId}/decision`, { decision: "approve", preview: false }, "seq"],
    [`/gates/${gateId}/decision`, { decision: "approve", seq }, "preview"],
    [`/gates/${gateId}/decision`, { decision: "defer", seq, preview: false, until: "soon" }, "until"],
    ["/status", { action: "stop", seq }, "action"],
    ["/budget", { total_turns: 1.5, seq }, "total_turns"],
  ] as const) {
    const { status, json } = await post(path, body);
    expect([status, readField(json, "error", "details", "field")]).toEqual([400, field]);
  }
  expect(await seqNow()).toBe(seq);
  const unknown = await server.ask("/api/goals/nobody", { headers: { cookie } });
  expect([unknown.status, readField(unknown.json, "error", "code")]).toEqual([404, "unknown_goal"]);
});
