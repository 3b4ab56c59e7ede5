import { isLoopxError, parseDuration, parseInstant, type Instant } from "@loopx/contracts";
import type { Gate, GateKind } from "../../gates/gate.ts";
import { parseWrittenText } from "../../todos/check-todo-text.ts";
import { newGate, newTodo, readPriorityPrefix } from "../../todos/new-todo.ts";
import { parseResumeCondition } from "../../todos/resume-condition.ts";
import { isTerminal, type Todo, type TodoRole, type TodoStatus } from "../../todos/todo.ts";
import type { CarryReport } from "./carry-report.ts";
import type { PythonTodo } from "./python-goal-file.ts";

/** What a todo has to know of its goal. */
export interface TodoSurroundings {
  readonly goalId: string;
  readonly agentIds: ReadonlySet<string>;
  /** Ids here by the ids there, of the todos that are carried. */
  readonly todoIds: ReadonlyMap<string, string>;
  readonly now: Instant;
  readonly report: CarryReport;
}

type Leave = (what: string, why: string) => void;

interface Carrying {
  readonly todo: PythonTodo;
  readonly around: TodoSurroundings;
  readonly leave: Leave;
}

/** Fields that become columns, or that say what others say. Every other one is reported. */
const CARRIED_FIELDS = new Set(
  (
    "todo_id status task_class action_kind target_key claimed_by blocks_agent global_gate unblocks_todo_id decision_scope " +
    "successor_todo_ids no_followup resume_when cadence next_due_at note evidence reason completed_at updated_at superseded_by decision_outcome"
  ).split(" "),
);

/** One todo with the id it gets here. Its text was found fit before. */
export function carryTodo(
  todo: PythonTodo,
  place: { readonly todoId: string; readonly position: number },
  around: TodoSurroundings,
): Todo {
  const { goalId, report, now } = around;
  const leave: Leave = (what, why) => report.add({ goalId, what, why, line: todo.line });
  const carrying = { todo, around, leave };
  const role = toRole(todo);
  const status = toStatus(todo);
  const isLiveGate = role === "user" && todo.metadata.get("task_class") === "user_gate" && !isTerminal({ status });
  reportWhatStays(carrying, { isLiveGate, status });
  const isMonitor = role === "agent" && todo.metadata.get("task_class") === "continuous_monitor";
  const taskClass =
    role === "agent" ? (isMonitor ? "monitor" : "advancement_task") : isLiveGate ? "user_gate" : "user_action";
  const changedAt = findInstant(carrying, "updated_at") ?? now;
  const draft = {
    role,
    task_class: taskClass,
    text: todo.text,
    priority: readPriorityPrefix(todo.text) ?? 2,
    action_kind: findWord(carrying, "action_kind", /^[a-z][a-z0-9_:./-]{0,79}$/),
    target_key: findWord(carrying, "target_key", /^[A-Za-z0-9][A-Za-z0-9_:./@-]{0,79}$/),
    depends_on: [],
    resume: status === "deferred" && !isLiveGate ? toResume(carrying) : null,
    validation: null,
    cadence_ms: isMonitor ? toCadence(carrying) : null,
    gate: isLiveGate ? toGate(carrying) : null,
  } as const;
  const birth = {
    goal_id: goalId,
    todo_id: place.todoId,
    position: place.position,
    created_by: "process",
    now: changedAt,
  };
  const isHeld = !isLiveGate && (status === "blocked" || status === "deferred");
  const closed = isTerminal({ status }) ? (findInstant(carrying, "completed_at") ?? changedAt) : null;
  return {
    ...newTodo(draft, birth),
    ...toEnding(carrying, status),
    // A gate asks again, whatever it was put off for.
    status: isLiveGate ? "open" : status,
    due_at: isMonitor ? findInstant(carrying, "next_due_at") : null,
    note: toNote(carrying),
    reason:
      isHeld || status === "superseded" ? (findText(carrying, "reason") ?? "carried over without a reason") : null,
    held_by: isHeld ? "process" : null,
    completed_at: status === "done" ? closed : null,
    archived_at: todo.section === "archive" ? closed : null,
  };
}

function toRole({ section, metadata }: PythonTodo): TodoRole {
  return section === "user" || metadata.get("task_class")?.startsWith("user_") ? "user" : "agent";
}

function toStatus({ mark, metadata }: PythonTodo): TodoStatus {
  if (metadata.has("superseded_by")) return "superseded";
  const said = metadata.get("status");
  if (said === "open" || said === "done" || said === "deferred") return said;
  if (said === "blocked" || (metadata.get("task_class") === "blocker" && mark === " ")) return "blocked";
  return mark === "x" ? "done" : mark === "-" ? "deferred" : "open";
}

function reportWhatStays(
  { todo, leave }: Carrying,
  { isLiveGate, status }: { readonly isLiveGate: boolean; readonly status: TodoStatus },
): void {
  const { metadata } = todo;
  if (metadata.has("claimed_by") && !isTerminal({ status })) {
    leave("claim", "a claim is a lease here; its lane takes the todo again");
  }
  if (isLiveGate && status !== "open") leave("gate put off", "it is carried open and asks again");
  if (metadata.get("task_class") === "user_gate" && !isLiveGate) {
    leave(
      "decision of a gate",
      "nobody's approval is taken from a file that agents write; it is carried as a finished action",
    );
  }
  for (const field of metadata.keys()) {
    if (field.startsWith("validation_command")) {
      leave("validation command", "a command from a file that agents write isn't run; give it again with a new todo");
    } else if (!CARRIED_FIELDS.has(field)) leave(`todo field ${field}`, "has no counterpart here");
  }
}

/** The kinds of decision there, and the gate here that asks for the same. */
const GATE_KIND_BY_SCOPE: ReadonlyMap<string, GateKind> = new Map([
  ["private_read", "private_material"],
  ["production", "production"],
  ["public_claim", "external_publication"],
]);

/** A gate that says of nothing what it holds back holds back the goal. */
function toGate({ todo, around, leave }: Carrying): Gate {
  const { metadata } = todo;
  const kind = GATE_KIND_BY_SCOPE.get(metadata.get("decision_scope")?.split(":")[0] ?? "") ?? "decision";
  const blocks: string[] = [];
  const agent = metadata.get("blocks_agent");
  if (agent !== undefined && around.agentIds.has(agent)) blocks.push(`agent:${agent}`);
  const unblocked = metadata.get("unblocks_todo_id");
  const todoId = unblocked === undefined ? undefined : around.todoIds.get(unblocked);
  if (todoId !== undefined) blocks.push(todoId);
  const isNamed = agent !== undefined || unblocked !== undefined;
  if (isNamed && blocks.length === 0) leave("what a gate holds", "it isn't here, so the gate holds the goal");
  return newGate(kind, metadata.get("global_gate") === "true" || blocks.length === 0 ? ["goal"] : blocks);
}

function toResume({ todo, around, leave }: Carrying): string {
  const said = todo.metadata.get("resume_when");
  if (said === undefined) return "manual";
  const awaited = /^todo_done:(.+)$/.exec(said)?.[1];
  const known = awaited === undefined ? undefined : around.todoIds.get(awaited);
  const written = awaited === undefined ? (/^\d{4}-/.test(said) ? `after:${said}` : said) : `todo_done:${known ?? ""}`;
  const resume = orUndefined(() => parseResumeCondition(written, around.now));
  if (resume === undefined)
    leave("resume condition", "it can't be told here when it holds; the todo comes back by hand");
  return resume ?? "manual";
}

function toEnding({ todo, around }: Carrying, status: TodoStatus): Pick<Todo, "completion" | "successor_todo_id"> {
  const { metadata } = todo;
  const named = metadata.get("superseded_by") ?? metadata.get("successor_todo_ids")?.split(",")[0];
  const successor = named === undefined ? undefined : around.todoIds.get(named);
  if (status === "superseded") return { completion: null, successor_todo_id: successor ?? null };
  if (status !== "done") return { completion: null, successor_todo_id: null };
  if (successor !== undefined) return { completion: "successor", successor_todo_id: successor };
  return {
    completion: metadata.get("no_followup") === "true" ? "no_follow_up" : "open_ended",
    successor_todo_id: null,
  };
}

/** What was noted, and below it what was shown. */
function toNote(carrying: Carrying): string | null {
  const parts = [findText(carrying, "note"), findText(carrying, "evidence")].filter((part) => part !== undefined);
  const joined = parts.join("\n");
  return parts.length === 0 ? null : (orUndefined(() => parseWrittenText(joined, "note")) ?? parts[0] ?? null);
}

function findText(carrying: Carrying, field: string): string | undefined {
  return readField(carrying, field, (value) => parseWrittenText(value, field));
}

function findInstant(carrying: Carrying, field: string): Instant | null {
  return readField(carrying, field, (value) => parseInstant(value, field)) ?? null;
}

/** Without one a monitor would never look. */
const CADENCE_MS = 3_600_000;

function toCadence(carrying: Carrying): number {
  const cadenceMs = readField(carrying, "cadence", (value) => parseDuration(value, "cadence"));
  if (cadenceMs === undefined) carrying.leave("cadence of a monitor", "none that can stand here; it looks every hour");
  return cadenceMs ?? CADENCE_MS;
}

function findWord(carrying: Carrying, field: string, pattern: RegExp): string | null {
  const found = readField(carrying, field, (value) => (pattern.test(value) ? value : undefined));
  return found ?? null;
}

/** A field's value, or undefined where there is none, or none that can stand here: that is reported. */
function readField<Value>(
  { todo, leave }: Carrying,
  field: string,
  read: (value: string) => Value | undefined,
): Value | undefined {
  const value = todo.metadata.get(field);
  if (value === undefined || value === "") return undefined;
  const found = orUndefined(() => read(value));
  if (found === undefined) leave(`todo field ${field}`, "its value can't stand here");
  return found;
}

/** What `read` gives, or undefined where it refuses. */
export function orUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (isLoopxError(error)) return undefined;
    throw error;
  }
}
