import { findContradictions, listRows, type ProjectState, type StateRow } from "../../support/project-state.ts";
import { readField, readText } from "../../support/read-field.ts";
import type { SoakGoal } from "./create-soak-world.ts";
import type { SoakRecord } from "./soak-record.ts";

export interface SoakEnd {
  readonly record: SoakRecord;
  readonly goals: readonly SoakGoal[];
  readonly state: ProjectState;
  /** Events that archives hold. */
  readonly archived: readonly StateRow[];
}

/** What the store says otherwise than the programs said, or than can be. Empty where nothing was lost and nothing double. */
export function findSoakFaults(end: SoakEnd): readonly string[] {
  const events = joinEvents(end);
  return [
    ...findContradictions(end.state),
    ...events.faults,
    ...findLost(end),
    ...findDouble(end, events.rows),
    ...findSharedTodos(end.record),
    ...findClaimFaults(events.rows),
    ...findBudgetFaults(end),
  ].slice(0, 50);
}

/** Every event that ever was, from store and archives, in the order of each goal. An interrupted `gc` may leave one in both. */
function joinEvents({ state, archived }: SoakEnd): {
  readonly rows: readonly StateRow[];
  readonly faults: readonly string[];
} {
  const byKey = new Map<string, StateRow>();
  const faults: string[] = [];
  for (const row of [...listRows(state, "events"), ...archived]) {
    const key = `${String(row["goal_id"])} ${String(row["seq"]).padStart(9, "0")}`;
    const known = byKey.get(key);
    if (known !== undefined && known["image"] !== row["image"]) faults.push(`event ${key} is archived as another`);
    byKey.set(key, row);
  }
  const rows = [...byKey].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
  const next = new Map<string, number>();
  for (const row of rows) {
    const goal = readText(row, "goal_id");
    const due = next.get(goal) ?? 1;
    if (row["seq"] !== due) faults.push(`event ${String(row["seq"])} of ${goal} where ${due} was due`);
    next.set(goal, Number(row["seq"]) + 1);
  }
  return { rows, faults };
}

const toKey = (row: StateRow, id: string): string => `${String(row["goal_id"])}/${String(row[id])}`;

function findLost({ record, state }: SoakEnd): readonly string[] {
  const todos = new Map(listRows(state, "todos").map((row) => [toKey(row, "todo_id"), row]));
  const turns = new Map(listRows(state, "turns").map((row) => [toKey(row, "turn_id"), row]));
  const evidence = new Map(listRows(state, "evidence").map((row) => [toKey(row, "turn_id"), row]));
  return [
    ...[...record.addedTodos].filter((key) => !todos.has(key)).map((key) => `todo ${key} was added and is lost`),
    ...record.turns
      .filter(({ goalId, turnId }) => !turns.has(`${goalId}/${turnId}`))
      .map(({ goalId, turnId }) => `turn ${goalId}/${turnId} was given and is lost`),
    ...[...record.evidence]
      .filter(([key, text]) => evidence.get(key)?.["text"] !== text)
      .map(([key]) => `evidence of ${key} was recorded and is lost`),
    ...record.completions
      .filter(({ goalId, todoId }) => todos.get(`${goalId}/${todoId}`)?.["status"] !== "done")
      .map(({ goalId, todoId }) => `todo ${goalId}/${todoId} was completed and is not done`),
    ...[...record.charges]
      .filter(([key]) => turns.get(key)?.["state"] !== "settled")
      .map(([key]) => `turn ${key} was charged and is ${String(turns.get(key)?.["state"])}`),
    ...[...record.gates]
      .filter(([key, isDecided]) => isDecided && !isApproved(todos.get(key)))
      .map(([key]) => `gate ${key} was approved and is not`),
  ];
}

function isApproved(gate: StateRow | undefined): boolean {
  return gate !== undefined && readField(JSON.parse(readText(gate, "gate")), "decision") === "approved";
}

function findDouble({ record }: SoakEnd, events: readonly StateRow[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const event of events) {
    const key = `${readText(event, "type")} ${toKey(event, "entity_id")}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const once = /^(turn_opened|turn_settled|todo_completed|todo_added|evidence_recorded)\./;
  return [
    ...[...counts]
      .filter(([key, times]) => times > 1 && once.test(key))
      .map(([key, times]) => `${key}: ${times} times`),
    ...[...record.charges].filter(([, times]) => times > 1).map(([key, times]) => `${key} charged ${times} times`),
  ];
}

/**
 * By what was said alone: a todo was given to one turn after another's was given, and the other still completed it, with a
 * command that was started after that.
 */
function findSharedTodos({ turns, completions }: SoakRecord): readonly string[] {
  return completions.flatMap(({ goalId, todoId, turnId, startedAt }) => {
    const mine = turns.find((turn) => turn.turnId === turnId);
    const others = turns.filter(
      (turn) => turn.goalId === goalId && turn.todoId === todoId && turn.turnId !== turnId && turn.givenAt < startedAt,
    );
    return others
      .filter(({ givenAt }) => mine !== undefined && givenAt > mine.givenAt)
      .map((other) => `todo ${goalId}/${todoId} was ${other.turnId}'s when ${turnId} completed it`);
  });
}

/** A claim is taken with a greater epoch, and from another agent only when that one's lease was over or given back. */
function findClaimFaults(events: readonly StateRow[]): readonly string[] {
  const held = new Map<string, { readonly by: unknown; readonly epoch: number; readonly until: unknown }>();
  const faults: string[] = [];
  for (const event of events.filter((each) => each["entity"] === "todo")) {
    const key = toKey(event, "entity_id");
    const image: unknown = JSON.parse(readText(event, "image"));
    const todo = new Map(Object.entries(image ?? {}));
    const now = {
      by: todo.get("claimed_by"),
      epoch: Number(todo.get("claim_epoch")),
      until: todo.get("claim_expires_at"),
    };
    const before = held.get(key);
    const isTaken = readText(event, "type") === "todo_claimed.v1";
    if (isTaken && now.epoch <= (before?.epoch ?? 0))
      faults.push(`claim of ${key} at event ${String(event["seq"])}: epoch ${now.epoch}`);
    const until = isTaken && before?.by !== now.by ? before?.until : null;
    if (typeof until === "string" && until > readText(event, "at")) faults.push(`two live claims of ${key}`);
    held.set(key, now);
  }
  return faults;
}

function findBudgetFaults({ goals, state }: SoakEnd): readonly string[] {
  const turns = listRows(state, "turns");
  return goals.flatMap(({ goalId, totalTurns }) => {
    const used = turns.filter((turn) => turn["goal_id"] === goalId && turn["state"] !== "released").length;
    return totalTurns !== null && used > totalTurns ? [`${goalId} used ${used} turns of ${totalTurns}`] : [];
  });
}
