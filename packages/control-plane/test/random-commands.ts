import { addMs, isLoopxError } from "@loopx/contracts";
import * as fc from "fast-check";
import {
  archiveTodos,
  attachContext,
  bindThread,
  claimTodo,
  deferTodo,
  detachContext,
  editGoal,
  newGate,
  pauseGoal,
  recordActivation,
  recordReview,
  registerAgents,
  releaseTodo,
  resumeGoal,
  setGoalBudget,
  supersedeTodo,
  unbindThread,
  updateTodo,
  type BindRequest,
  type AttachContextRequest,
  type Caller,
  type DecisionReview,
  type TodoDraft,
} from "../src/index.ts";
import { a1, a2, GOAL, MINUTE_MS, OWNER, owner, PROJECT, START, TTL_MS, type World } from "./control-plane-world.ts";
import { rowsOf } from "./store-content.ts";

/** One command: what to do, and three numbers from which it takes its todo, its caller and its words. */
export interface RandomCommand {
  readonly verb: keyof typeof VERBS;
  readonly pick: number;
  readonly who: number;
  readonly what: number;
}

interface Subject {
  readonly todoId: string;
  readonly otherId: string;
  readonly turnId: string;
  readonly caller: Caller;
  readonly agentId: "a1" | "a2";
  readonly what: number;
}

type Verb = (world: World, subject: Subject) => Promise<unknown>;

const KINDS: readonly Partial<TodoDraft>[] = [
  {},
  { priority: 0 },
  { action_kind: "production" },
  { task_class: "monitor", cadence_ms: 10 * MINUTE_MS },
  { role: "user", task_class: "user_action" },
];

const FILES = ["out.txt", "报告.md", `${"long-".repeat(700)}.log`, "a b.txt", "c.txt"].map((path, bytes) => ({
  path,
  sha256: "0".repeat(64),
  bytes,
}));

const draftBind = (agentId: string): BindRequest => ({
  goalId: GOAL,
  projectId: PROJECT,
  hostSurface: "codex-cli",
  threadId: "t1",
  agentId,
  actor: OWNER,
});

const VERBS = {
  add: (world, { otherId, what, caller }) =>
    world.add(`text ${what}`, {
      ...KINDS[what % KINDS.length],
      by: caller,
      depends_on: what % 3 === 0 && otherId !== "" ? [otherId] : [],
    }),
  gate: (world, { todoId, agentId, what }) =>
    world.add(`question ${what}?`, {
      role: "user",
      task_class: "user_gate",
      gate: newGate("decision", [["goal"], [`agent:${agentId}`], [todoId]][what % 3] ?? []),
    }),
  decide: async (world, { what }) => {
    const gates = (await rowsOf(world.project, "todos", "position")).filter((row) => row["gate"] !== null);
    const gate = gates[what % Math.max(gates.length, 1)];
    const verdict = (["approve", "approve", "reject", "defer"] as const)[what % 4] ?? "approve";
    const askAgainAt = what % 2 === 0 ? null : addMs(world.ambient.now(), 20 * MINUTE_MS);
    if (gate !== undefined) await world.decide(String(gate["todo_id"]), verdict, { askAgainAt });
  },
  claim: (world, { todoId, caller, agentId }) =>
    claimTodo(world.project, { goalId: GOAL, todoId, caller, agentId, leaseTtlMs: TTL_MS }, world.ambient),
  release: (world, { todoId, caller }) => releaseTodo(world.project, { goalId: GOAL, todoId, caller }, world.ambient),
  update: (world, { todoId, otherId, caller, what }) => {
    const edit = {
      text: what % 5 === 0 ? `text ${what}` : null,
      priority: what % 2 === 0 ? what % 5 : null,
      status: ([null, null, "open", "blocked"] as const)[what % 4] ?? null,
      note: null,
      reason: "because",
      addDependsOn: what % 4 === 1 ? [otherId] : [],
      removeDependsOn: what % 4 === 2 ? [otherId] : [],
      clearClaim: what % 7 === 0,
    };
    return updateTodo(world.project, { goalId: GOAL, todoId, caller, edit }, world.ambient);
  },
  defer: (world, { todoId, otherId, caller, what }) => {
    const after = `after:${addMs(world.ambient.now(), 30 * MINUTE_MS)}`;
    const resume = ["manual", after, `todo_done:${otherId}`][what % 3] ?? "manual";
    return deferTodo(world.project, { goalId: GOAL, todoId, caller, resume, reason: null }, world.ambient);
  },
  complete: (world, { todoId, caller, turnId, what }) =>
    world.complete(todoId, {
      caller,
      ...(what % 5 === 0 ? { evidence: null, files: FILES.slice(0, 2) } : {}),
      turnId: what % 2 === 0 && turnId !== "" ? turnId : null,
      followUp: what % 3 === 0 ? { kind: "next", text: `next ${what}` } : { kind: "open_ended" },
    }),
  supersede: (world, { todoId, otherId, caller, what }) => {
    const successor = { kind: "successor" as const, todoId: otherId };
    const replacement = [{ kind: "none" as const }, { kind: "next" as const, text: `next ${what}` }, successor][
      what % 3
    ];
    if (replacement === undefined) throw new Error("unreachable");
    const request = { goalId: GOAL, todoId, caller, reason: "split", replacement };
    return supersedeTodo(world.project, request, world.ambient);
  },
  archive: (world, { caller }) => archiveTodos(world.project, { goalId: GOAL, caller, todoIds: null }, world.ambient),
  next: (world, { agentId }) => world.next(agentId),
  show: (world, { agentId, turnId, what }) => {
    const outcome = (["progress", "primary_outcome", "no_change", "blocked"] as const)[what % 4] ?? "progress";
    const shown = what % 3 === 0 ? { text: "", files: FILES.slice(0, 1 + (what % 5)) } : {};
    return world.show(agentId, what % 5 === 0 || turnId === "" ? null : turnId, { outcome, ...shown });
  },
  spend: (world, { agentId, turnId }) => world.spend(agentId, turnId),
  pause: (world, { caller }) => pauseGoal(world.project, { goalId: GOAL, caller, reason: "wait" }, world.ambient),
  resume: (world) => resumeGoal(world.project, { goalId: GOAL, caller: owner, reason: null }, world.ambient),
  edit: (world, { caller, what }) => {
    const request = { goalId: GOAL, caller, reason: null, objective: `objective ${what}`, expectRevision: null };
    return editGoal(world.project, request, world.ambient);
  },
  budget: (world, { what }) => {
    const budget = {
      totalTurns: what % 2 === 0 ? null : 3 + what,
      windowTurns: 2 + (what % 9),
      windowMs: 60 * MINUTE_MS,
    };
    return setGoalBudget(world.project, { goalId: GOAL, caller: owner, reason: null, budget }, world.ambient);
  },
  activate: (world, { caller, agentId, what }) => {
    const digest = `sha256:${String(what % 3).repeat(64)}`;
    const host = { hostSurface: "other-agent", threadId: null, loopDriver: what % 2 === 0 ? null : "cron" };
    const request = { goalId: GOAL, caller, agentId, ...host, taskBodyDigest: digest };
    return recordActivation(world.project, request, world.ambient);
  },
  review: async (world, { caller, what }) => {
    const type = what % 2 === 0 ? "decision_reviewed.v1" : "decision_outcome_recorded.v1";
    const request = { caller, now: world.ambient.now(), type, review: draftReview(what) } as const;
    return world.project.write((tx) => recordReview(tx, request));
  },
  attach: (world, { what }) => {
    if (what % 3 === 2)
      return detachContext(world.project, { goalId: GOAL, profile: "default", caller: owner }, world.ambient);
    const attachment = draftAttachment({ inputs: { customerId: `CUST-${what}` } });
    return attachContext(world.project, { caller: owner, attachment }, world.ambient);
  },
  register: (world, { what }) => {
    const request = { goalId: GOAL, projectId: PROJECT, agentIds: [`b${what % 3}`], mustBeNew: false, actor: OWNER };
    return registerAgents(world.home, world.project, request, world.ambient);
  },
  bind: (world, { agentId }) => bindThread(world.home, world.project, draftBind(agentId), world.ambient),
  unbind: (world, { agentId }) => unbindThread(world.home, world.project, draftBind(agentId), world.ambient),
  advance: async (world, { what }) => void world.ambient.advance((1 + (what % 6)) * 10 * MINUTE_MS),
} as const satisfies Record<string, Verb>;

const number = fc.integer({ min: 0, max: 59 });
export const verb = (names: readonly RandomCommand["verb"][]): fc.Arbitrary<RandomCommand> =>
  fc.record({ verb: fc.constantFrom(...names), pick: number, who: number, what: number });
/** What no rule of work depends on is asked for by name. */
const ALL = (Object.keys(VERBS) as RandomCommand["verb"][]).filter(
  (name) => name !== "activate" && name !== "review" && name !== "attach",
);
const WORK: readonly RandomCommand["verb"][] = ["next", "show", "spend", "complete", "add", "advance"];

export const randomCommands: fc.Arbitrary<readonly RandomCommand[]> = fc
  .tuple(
    fc.array(verb(["add"]), { minLength: 3, maxLength: 3 }),
    fc.array(fc.oneof(verb(ALL), verb(WORK)), { minLength: 25, maxLength: 40 }),
  )
  .map(([first, rest]) => [...first, ...rest]);

/** A review of one of two checkpoints; every other one has an outcome too. */
export function draftReview(what: number): DecisionReview {
  const ref = (kind: string): string => `decision-${kind}-${String(what % 2).repeat(20)}`;
  return {
    goal_id: GOAL,
    checkpoint_ref: ref("cursor-checkpoint"),
    decision_id: "d1",
    evidence_packet_ref: ref("evidence"),
    proposal_packet_ref: ref("proposal"),
    review_receipt_ref: ref("review"),
    disposition: "approve",
    actor_ref: "a1",
    reason_code: "reviewed",
    summary: "It goes on",
    gate_todo_id: "todo_1a2b3c4d",
    recorded_at: START,
    outcome_receipt_ref: what % 2 === 0 ? null : ref("outcome"),
    outcome_status: what % 2 === 0 ? null : "verified",
  };
}

/** What turns of the goal ask for, with these fields. */
export function draftAttachment(
  more: Partial<AttachContextRequest["attachment"]> = {},
): AttachContextRequest["attachment"] {
  return {
    goal_id: GOAL,
    profile: "default",
    context_project: "./desk",
    binding: "desk",
    objective: "answer-ticket",
    consumer: "support-agent",
    inputs: { customerId: "todo.target_key" },
    trace_store: null,
    ...more,
  };
}

/** Carries one command out. A refusal is an answer; anything else that is thrown is a fault. */
export async function runCommand(world: World, command: RandomCommand): Promise<void> {
  const todos = await rowsOf(world.project, "todos", "position");
  const turns = await rowsOf(world.project, "turns", "opened_at, turn_id");
  const at = (rows: typeof todos, index: number, column: string): string =>
    String(rows[rows.length - 1 - (index % Math.max(rows.length, 1))]?.[column] ?? "");
  const agentId = command.who % 2 === 0 ? "a1" : "a2";
  const agent = agentId === "a1" ? a1 : a2;
  const subject: Subject = {
    todoId: at(todos, command.pick % 4, "todo_id"),
    otherId: at(todos, command.what % 5, "todo_id"),
    turnId: at(turns, command.pick % 2, "turn_id"),
    caller: command.who % 3 === 0 ? owner : agent,
    agentId,
    what: command.what,
  };
  const run: Verb = VERBS[command.verb];
  try {
    await run(world, subject);
  } catch (error) {
    const isRefusal = error instanceof Error && error.message.startsWith("refused with ");
    if (!isRefusal && !(isLoopxError(error) && error.code === "invalid_id")) throw error;
  }
}
