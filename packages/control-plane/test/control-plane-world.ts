import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addMs, type Ambient, type Instant, type Refusal } from "@loopx/contracts";
import { openSqlite, type Database, type Migration } from "@loopx/store";
import { onTestFinished } from "vitest";
import {
  addTodo,
  askNextTurn,
  bindThread,
  completeTodo,
  createGoal,
  decideGate,
  findGoal,
  findTodo,
  HOME_MIGRATIONS,
  LATER_PROJECT_MIGRATIONS,
  PROJECT_MIGRATIONS,
  recordEvidence,
  registerAgents,
  spendTurn,
  type Actor,
  type AddedTodo,
  type Caller,
  type GateVerdict,
  type Goal,
  type NextTurn,
  type NextTurnRequest,
  type Todo,
  type TodoDraft,
} from "../src/index.ts";
import { rowsOf } from "./store-content.ts";

export const START = "2026-03-01T12:00:00.000Z" as Instant;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const TTL_MS = 45 * MINUTE_MS;
export const GOAL = "repo-goal";
export const PROJECT = "project_000000";

export const OWNER: Actor = { kind: "owner", via: "terminal" };
export const owner: Caller = { actor: OWNER, threadId: null };
export const a1: Caller = { actor: { kind: "agent", agent_id: "a1" }, threadId: null };
export const a2: Caller = { actor: { kind: "agent", agent_id: "a2" }, threadId: null };
export const unnamedProcess: Caller = { actor: { kind: "process" }, threadId: null };

/** The project's schema, with what another part keeps there in its place. */
export const PROJECT_SCHEMA: readonly Migration[] = [
  ...PROJECT_MIGRATIONS,
  {
    number: 5,
    name: "another_part",
    sql: "CREATE TABLE another_part (id TEXT PRIMARY KEY, text TEXT)",
    digest: "sha256:ff5e6fc80eeaeba84faec69fef686a9ffa279ed842f4fe950098a966e75346bd",
  },
  ...LATER_PROJECT_MIGRATIONS,
];

export interface TestAmbient extends Ambient {
  advance(durationMs: number): Instant;
}

/** A clock that stands still until it is moved, and ids that count: `todo_000001`. */
export function createTestAmbient(): TestAmbient {
  let now = START;
  let count = 0;
  return {
    now: () => now,
    newId: (prefix) => `${prefix}_${String((count += 1)).padStart(6, "0")}`,
    env: {},
    cwd: "/",
    advance: (durationMs) => (now = addMs(now, durationMs)),
  };
}

export interface Place {
  readonly directory: string;
  readonly ambient: TestAmbient;
  open(name: "home.db" | "state.db", access?: "read" | "write"): Promise<Database>;
}

/** A folder of its own for real stores; gone, with what was opened in it, when the test is. */
export function createPlace(): Place {
  const directory = mkdtempSync(join(tmpdir(), "loopx-control-plane-"));
  const ambient = createTestAmbient();
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return {
    directory,
    ambient,
    open: async (name, access = "write") => {
      const database = await openSqlite({
        path: join(directory, name),
        label: name,
        access,
        journal: "rollback",
        migrations: name === "home.db" ? HOME_MIGRATIONS : PROJECT_SCHEMA,
        create: access === "write",
        now: ambient.now,
      });
      onTestFinished(() => database.close());
      return database;
    },
  };
}

export interface World extends Place {
  readonly home: Database;
  readonly project: Database;
  add(text: string, more?: Partial<TodoDraft> & { readonly claimedBy?: string; readonly by?: Caller }): Promise<Added>;
  next(agentId: string, more?: Partial<NextTurnRequest>): Promise<NextTurn>;
  /** Opens a turn that must run, and returns its ids. */
  run(agentId: string, more?: Partial<NextTurnRequest>): Promise<{ readonly turnId: string; readonly todoId: string }>;
  show(agentId: string, turnId: string | null, more?: Partial<EvidenceRequest>): ReturnType<typeof recordEvidence>;
  spend(agentId: string, turnId: string): ReturnType<typeof spendTurn>;
  /** Completes a todo as an agent, with evidence and, unless told otherwise, nothing to follow. */
  complete(todoId: string, more?: Partial<CompleteRequest>): ReturnType<typeof completeTodo>;
  bind(threadId: string, agentId: string): Promise<void>;
  decide(gateId: string, verdict: GateVerdict, more?: Partial<DecideGateRequest>): ReturnType<typeof decideGate>;
  todo(todoId: string): Promise<Todo>;
  goal(): Promise<Goal>;
  eventTypes(): Promise<readonly string[]>;
}

type Added = AddedTodo & { readonly id: string };
type CompleteRequest = Parameters<typeof completeTodo>[1];
type DecideGateRequest = Parameters<typeof decideGate>[1];
type EvidenceRequest = Parameters<typeof recordEvidence>[1];

/** A goal with the lanes a1 and a2, in a project store and a home store. */
export async function openWorld(): Promise<World> {
  const place = createPlace();
  const { ambient } = place;
  const home = await place.open("home.db");
  const project = await place.open("state.db");
  accepted(await createGoal(project, { goalId: GOAL, objective: "make it work", actor: OWNER }, ambient));
  const lanes = { goalId: GOAL, projectId: PROJECT, agentIds: ["a1", "a2"], mustBeNew: false, actor: OWNER };
  accepted(await registerAgents(home, project, lanes, ambient));
  return createWorld(place, home, project);
}

/** The same stores once more, through connections of their own: another process in all but name. */
export async function openSecond(world: World): Promise<World> {
  return createWorld(world, await world.open("home.db"), await world.open("state.db"));
}

function createWorld(place: Place, home: Database, project: Database): World {
  const { ambient } = place;
  const world: World = {
    ...place,
    home,
    project,
    add: async (text, { claimedBy, by = owner, ...fields } = {}) => {
      const draft = { ...draftTodo(text), ...fields };
      const request = { goalId: GOAL, caller: by, draft, claimedBy: claimedBy ?? null, leaseTtlMs: TTL_MS };
      const added = accepted(await addTodo(project, request, ambient));
      return { ...added, id: added.todo.todo_id };
    },
    next: async (agentId, more = {}) => {
      const request = { goalId: GOAL, agentId, turnId: null, threadId: null, leaseTtlMs: TTL_MS, ...more };
      return accepted(await askNextTurn(project, request, ambient));
    },
    run: async (agentId, more) => {
      const { decision, turn } = await world.next(agentId, more);
      if (decision.kind !== "run" || turn === null) throw new Error(`expected run, got ${JSON.stringify(decision)}`);
      return { turnId: turn.turn_id, todoId: decision.todoId };
    },
    show: (agentId, turnId, more = {}) => recordEvidence(project, draftEvidence(agentId, turnId, more), ambient),
    spend: (agentId, turnId) =>
      spendTurn(project, { goalId: GOAL, caller: callerOf(agentId), agentId, turnId, todoId: null }, ambient),
    complete: (todoId, more = {}) => completeTodo(project, { ...draftCompletion(todoId), ...more }, ambient),
    bind: async (threadId, agentId) => {
      const request = { goalId: GOAL, projectId: PROJECT, hostSurface: "codex-cli", threadId, agentId, actor: OWNER };
      accepted(await bindThread(home, project, request, ambient));
    },
    decide: (gateId, verdict, more = {}) => {
      const request = { goalId: GOAL, gateId, caller: owner, verdict, reason: null, askAgainAt: null, ...more };
      return decideGate(project, request, ambient);
    },
    goal: async () => {
      const goal = await project.read((tx) => findGoal(tx, GOAL));
      if (goal === undefined) throw new Error("no goal");
      return goal;
    },
    todo: async (todoId) => {
      const todo = await project.read((tx) => findTodo(tx, GOAL, todoId));
      if (todo === undefined) throw new Error(`no todo ${todoId}`);
      return todo;
    },
    eventTypes: async () => (await rowsOf(project, "events", "seq")).map((row) => String(row["type"])),
  };
  return world;
}

export function callerOf(agentId: string): Caller {
  return { actor: { kind: "agent", agent_id: agentId }, threadId: null };
}

export function draftTodo(text: string): TodoDraft {
  return {
    role: "agent",
    task_class: "advancement_task",
    text,
    priority: 2,
    action_kind: null,
    target_key: null,
    depends_on: [],
    resume: null,
    validation: null,
    cadence_ms: null,
    gate: null,
  };
}

export function draftCompletion(todoId: string): CompleteRequest {
  return {
    goalId: GOAL,
    todoId,
    caller: a1,
    turnId: null,
    evidence: "ran the tests",
    files: [],
    followUp: { kind: "no_follow_up" },
    validation: null,
  };
}

export function draftEvidence(
  agentId: string,
  turnId: string | null,
  more: Partial<EvidenceRequest> = {},
): EvidenceRequest {
  return {
    goalId: GOAL,
    caller: callerOf(agentId),
    agentId,
    turnId,
    todoId: null,
    outcome: "progress",
    text: "ran the tests",
    files: [],
    validation: null,
    leaseTtlMs: TTL_MS,
    ...more,
  };
}

/** The result of a call that must be accepted. */
export function accepted<Result extends { readonly ok: true }>(result: Result | Refusal): Result {
  if (result.ok) return result;
  throw new Error(`refused with ${result.code}: ${result.message}`);
}

/** The code a call is refused with, as a value or as an error; `accepted` when it was not. */
export async function refusalOf(call: Promise<{ readonly ok: boolean }>): Promise<string> {
  try {
    const result: { readonly ok: boolean; readonly code?: string } = await call;
    return result.ok ? "accepted" : String(result.code);
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (typeof code === "string") return code;
    throw error;
  }
}
