import { isLoopxError, toCanonicalJson } from "@loopx/contracts";
import type { SqlRow, Transaction } from "@loopx/store";
import { decodeRow, selectFrom } from "../events/entity-table.ts";
import { ENTITY_TABLES, entityIdOf, LEASE_COLUMNS } from "../events/entity-tables.ts";
import type { EntityKind } from "../events/event.ts";
import { SETTINGS, type SettingName } from "../settings/settings.ts";
import { accepts } from "../events/column-rule.ts";
import type { Todo } from "../todos/todo.ts";
import { REPLAN, type Evidence, type Turn } from "../turns/turn.ts";
import { findDerivedFaults } from "./derived-rows.ts";
import { loadCutoffs, loadNewestImages, toImageKey, type NewestImages } from "./newest-images.ts";
import { FaultCount, type StateFault } from "./state-fault.ts";

/**
 * Lists what in a project's state contradicts itself: gaps in event numbers, rows that are not the newest image of their
 * entity, derived rows that say something else, claims and turns that don't go together. Empty for whole state.
 *
 * Reads every row. What is written once, like the text of an event that is not the newest of its entity, can only be held
 * against its own form.
 */
export async function findStateFaults(tx: Transaction): Promise<readonly StateFault[]> {
  const faults = new FaultCount();
  const cutoffs = await loadCutoffs(tx);
  const images = await loadNewestImages(tx, faults, cutoffs);
  const entities = await loadEntities(tx, { images, cutoffs }, faults);
  await findDerivedFaults(tx, entities.todo as readonly Todo[], faults);
  findTurnFaults(entities, faults);
  await findOtherFaults(tx, faults);
  return faults.list();
}

type Entities = Readonly<Record<EntityKind, readonly object[]>>;

interface Known {
  readonly images: NewestImages;
  readonly cutoffs: ReadonlyMap<string, number>;
}

async function loadEntities(tx: Transaction, { images, cutoffs }: Known, faults: FaultCount): Promise<Entities> {
  const unmatched = new Map(images);
  const entities: Partial<Record<EntityKind, readonly object[]>> = {};
  for (const [kind, table] of Object.entries(ENTITY_TABLES) as [EntityKind, (typeof ENTITY_TABLES)[EntityKind]][]) {
    const decoded: object[] = [];
    for (const row of await tx.all(selectFrom(table))) {
      const key = toImageKey(kind, row["goal_id"], entityIdOf(kind, row));
      const image = unmatched.get(key);
      unmatched.delete(key);
      if (image === undefined) {
        if (!isClosed(kind, row) || !cutoffs.has(String(row["goal_id"])))
          faults.add(table.name, "rows without an event");
      } else if (!isSameRow(row, image, table.json)) faults.add(table.name, "rows that differ from their newest event");
      const entity = findEntity(kind, row);
      if (entity === undefined) faults.add(table.name, "rows that LoopX never writes");
      else decoded.push(entity);
    }
    entities[kind] = decoded;
  }
  for (const key of unmatched.keys()) {
    const kind = key.slice(0, key.indexOf("\n")) as EntityKind;
    faults.add(ENTITY_TABLES[kind].name, "rows that are missing");
  }
  return entities as Entities;
}

/** Whether a row can't change any more, so that a compaction may have taken all its events (`closed-entities.ts`). */
function isClosed(kind: EntityKind, row: SqlRow): boolean {
  if (kind === "evidence") return true;
  if (kind === "turn") return row["state"] === "settled" || row["state"] === "released";
  return kind === "todo" && row["archived_at"] !== null && row["task_class"] !== "user_gate";
}

function findEntity(kind: EntityKind, row: SqlRow): object | undefined {
  try {
    return decodeRow(ENTITY_TABLES[kind], row);
  } catch (error) {
    if (isLoopxError(error)) return undefined;
    throw error;
  }
}

/** Whether a row says what an image says, but for leases: those are only ever made longer. */
export function isSameRow(row: SqlRow, image: SqlRow, json: readonly string[]): boolean {
  return Object.entries(image).every(([column, wanted]) => {
    const stored = row[column] ?? null;
    if (stored === wanted) return true;
    if (LEASE_COLUMNS.has(column)) return stored !== null && wanted !== null && stored >= wanted;
    return json.includes(column) && toStructure(stored) === toStructure(wanted);
  });
}

/** The order of an object's fields says nothing. */
function toStructure(text: unknown): unknown {
  if (typeof text !== "string") return text;
  try {
    return toCanonicalJson(JSON.parse(text));
  } catch {
    return text;
  }
}

/** Claims go with turns: a turn that is open holds its todo under the epoch it was opened with, or the claim moved on. */
function findTurnFaults(entities: Entities, faults: FaultCount): void {
  const turns = entities.turn as readonly Turn[];
  const todos = new Map((entities.todo as readonly Todo[]).map((todo) => [`${todo.goal_id}\n${todo.todo_id}`, todo]));
  const known = new Set(turns.map((turn) => `${turn.goal_id}\n${turn.turn_id}`));
  const open = new Set<string>();
  for (const turn of turns.filter(({ state }) => state === "open")) {
    const lane = `${turn.goal_id}\n${turn.agent_id}`;
    if (open.has(lane)) faults.add("turns", "lanes with two open turns");
    open.add(lane);
    if (!isHeldRightly(turn, todos.get(`${turn.goal_id}\n${turn.todo_id}`)))
      faults.add("turns", "open turns whose todo says otherwise");
  }
  const shown = new Set<string>();
  for (const { goal_id: goalId, turn_id: turnId } of entities.evidence as readonly Evidence[]) {
    if (turnId === null) continue;
    if (!known.has(`${goalId}\n${turnId}`)) faults.add("evidence", "evidence of a turn that is missing");
    if (shown.has(`${goalId}\n${turnId}`)) faults.add("evidence", "turns with two records of evidence");
    shown.add(`${goalId}\n${turnId}`);
  }
}

/** Whether an open turn and its todo can both be as they are. */
export function isHeldRightly(turn: Turn, todo: Todo | undefined): boolean {
  if (turn.todo_id === REPLAN) return true;
  if (todo === undefined || todo.claim_epoch < turn.claim_epoch) return false;
  return todo.claim_epoch > turn.claim_epoch || todo.claimed_by === null || todo.claimed_by === turn.agent_id;
}

async function findOtherFaults(tx: Transaction, faults: FaultCount): Promise<void> {
  const projects = await tx.all("SELECT project_id, created_at FROM project");
  if (projects.length !== 1) faults.add("project", "not one identity");
  for (const { name, value } of await tx.all("SELECT name, value FROM settings"))
    if (!isSetting(name, value)) faults.add("settings", "settings that LoopX never writes");
}

/** Whether a row of `settings` is one that a write of ours leaves. */
export function isSetting(name: unknown, value: unknown): boolean {
  return (
    typeof name === "string" &&
    typeof value === "string" &&
    Object.hasOwn(SETTINGS, name) &&
    accepts(() => SETTINGS[name as SettingName].parse(value) === value)
  );
}
