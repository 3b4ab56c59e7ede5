import {
  isLoopxError,
  parseAgentId,
  parseGoalId,
  parseThreadId,
  parseTodoId,
  sha256Hex,
  type Instant,
} from "@loopx/contracts";
import type { Agent } from "../../agents/agent.ts";
import type { Change } from "../../events/event.ts";
import { parseObjective } from "../../goals/change-goal.ts";
import type { Goal } from "../../goals/goal.ts";
import type { ThreadBinding } from "../../threads/thread-binding.ts";
import { refuseCredential, parseWrittenText } from "../../todos/check-todo-text.ts";
import type { CarryReport } from "./carry-report.ts";
import { carryTodo, orUndefined, type TodoSurroundings } from "./carry-todo.ts";
import type { PythonGoalFile, PythonTodo } from "./python-goal-file.ts";
import type { PythonGoal } from "./python-registry.ts";

/** Hosts' names of surfaces there that have another name here. */
export type ParseSurface = (text: string) => string;

export interface CarryContext {
  readonly now: Instant;
  readonly report: CarryReport;
  readonly parseSurface: ParseSurface;
}

/** A goal as the changes that make it here. */
export interface CarriedGoal {
  readonly goalId: string;
  readonly changes: readonly Change[];
}

/** One goal, or undefined where it can't be one here: that is reported. */
export function carryGoal(
  goal: PythonGoal,
  file: PythonGoalFile | undefined,
  context: CarryContext,
): CarriedGoal | undefined {
  const { report, now } = context;
  const goalId = orUndefined(() => parseGoalId(goal.id));
  if (goalId === undefined) {
    report.add({ goalId: null, what: "goal", why: "its id can't stand here" });
    return undefined;
  }
  const objective = file?.frontMatter.get("objective") ?? file?.objective;
  const fit = objective === undefined ? undefined : orUndefined(() => parseFit(objective));
  if (file === undefined || fit === undefined) {
    const why = file === undefined ? "its state file can't be read" : "it has no objective that can stand here";
    report.add({ goalId, what: "goal", why });
    return undefined;
  }
  report.add({ goalId, what: "runs, events and leases", why: "history begins here; they stay where they are" });
  if (goal.hasAuthorityGrants) {
    report.add({ goalId, what: "authority of lanes over others' todos", why: "lanes are peers here" });
  }
  const agents = carryAgents(goal, goalId, context);
  const agentIds = new Set(agents.map((agent) => agent.agent_id));
  const image: Goal = { ...toGoal(goal, file, { goalId, objective: fit }), created_at: now, updated_at: now };
  const bindings = carryBindings(goal, { goalId, agentIds }, context);
  return {
    goalId,
    // What happened there isn't known event by event: history begins with everything as it was carried over.
    changes: [
      { type: "goal_created.v1", image },
      ...agents.map((agent) => ({ type: "agent_registered.v1", image: agent }) as const),
      ...bindings.map((binding) => ({ type: "thread_bound.v1", image: binding }) as const),
      ...carryTodos(file, { goalId, agentIds, now, report }),
    ],
  };
}

function parseFit(objective: string): string {
  parseObjective(objective, "objective");
  refuseCredential(objective, "objective");
  return objective;
}

/** A status that isn't known here pauses the goal: an owner looks before anybody works. */
function toGoal(
  goal: PythonGoal,
  file: PythonGoalFile,
  { goalId, objective }: { readonly goalId: string; readonly objective: string },
): Omit<Goal, "created_at" | "updated_at"> {
  const said = goal.status ?? file.frontMatter.get("status") ?? "";
  const status = said.startsWith("active") ? "active" : said === "stopped" || said === "completed" ? said : "paused";
  const { slots, windowMs } = goal.quota;
  const hasBudget = slots !== null && windowMs !== null;
  return {
    goal_id: goalId,
    objective,
    status,
    revision: 1,
    budget_total_turns: null,
    budget_window_turns: hasBudget ? slots : null,
    budget_window_ms: hasBudget ? windowMs : null,
    reason: status === "active" ? null : "it had this status before it was carried over",
  };
}

function carryAgents(goal: PythonGoal, goalId: string, { now, report }: CarryContext): readonly Agent[] {
  const ids = new Set<string>();
  for (const named of goal.agents) {
    const id = orUndefined(() => parseAgentId(named));
    if (id === undefined) report.add({ goalId, what: "agent", why: "its id can't stand here" });
    else ids.add(id);
  }
  return [...ids].map((id) => ({ goal_id: goalId, agent_id: id, registered_at: now }));
}

function carryBindings(
  goal: PythonGoal,
  { goalId, agentIds }: { readonly goalId: string; readonly agentIds: ReadonlySet<string> },
  { now, report, parseSurface }: CarryContext,
): readonly ThreadBinding[] {
  const bindings = new Map<string, ThreadBinding>();
  for (const named of goal.bindings) {
    const leave = (why: string): void => report.add({ goalId, what: "thread binding", why });
    const surface = orUndefined(() => parseSurface(named.hostSurface));
    const threadId = orUndefined(() => parseThreadId(named.threadId));
    if (surface === undefined || threadId === undefined) leave("its host surface or thread id can't stand here");
    else if (!agentIds.has(named.agentId)) leave("its agent isn't registered");
    else if (bindings.has(`${surface} ${threadId}`)) leave("the thread is bound twice");
    else {
      bindings.set(`${surface} ${threadId}`, {
        goal_id: goalId,
        host_surface: surface,
        thread_id: threadId,
        agent_id: named.agentId,
        status: "bound",
        // Until the same binding was read back from project and home it counts for nothing.
        is_verified: false,
        bound_at: now,
      });
    }
  }
  return [...bindings.values()];
}

function carryTodos(file: PythonGoalFile, around: Omit<TodoSurroundings, "todoIds">): readonly Change[] {
  const { goalId, report } = around;
  const leave = (what: string, why: string, line: number): void => report.add({ goalId, what, why, line });
  const taken = new Set<string>();
  const carried = file.todos.flatMap((todo) => {
    const unfit = findUnfit(todo);
    if (unfit !== undefined) leave("todo", unfit, todo.line);
    return unfit === undefined ? [{ todo, todoId: chooseTodoId(todo, taken, around) }] : [];
  });
  const todoIds = new Map<string, string>();
  for (const { todo, todoId } of carried) {
    const named = todo.metadata.get("todo_id");
    if (named !== undefined && !todoIds.has(named)) todoIds.set(named, todoId);
  }
  return carried.map(({ todo, todoId }, at) => ({
    type: "todo_added.v1",
    image: carryTodo(todo, { todoId, position: at + 1 }, { ...around, todoIds }),
  }));
}

/** Why a todo can't be carried, or undefined. */
function findUnfit({ section, text }: PythonTodo): string | undefined {
  if (section === "other") return "it stands under no heading of todos";
  try {
    parseWrittenText(text, "text");
    return undefined;
  } catch (error) {
    if (!isLoopxError(error)) throw error;
    return error.code === "credential_refused" ? "its text holds a credential" : "its text can't stand here";
  }
}

/** The id it has, where that is one here and free; else one that follows from goal and line, so that a preview tells the same. */
function chooseTodoId(
  todo: PythonTodo,
  taken: Set<string>,
  { goalId, report }: Pick<TodoSurroundings, "goalId" | "report">,
): string {
  const named = orUndefined(() => parseTodoId(todo.metadata.get("todo_id")));
  const isKept = named !== undefined && !taken.has(named);
  const id = isKept ? named : `todo_${sha256Hex(`${goalId}\n${todo.line}\n${todo.text}`).slice(0, 16)}`;
  if (!isKept)
    report.add({
      goalId,
      what: "todo id",
      why: "it can't stand here, or is there twice; the todo has a new one",
      line: todo.line,
    });
  taken.add(id);
  return id;
}
