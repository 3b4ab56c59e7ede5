import { isDeepStrictEqual } from "node:util";
import { readField, readText } from "./read-field.ts";
import type { RunOptions, World } from "./cli-world.ts";

export type StateRow = Readonly<Record<string, unknown>>;

/** Everything a project holds, as `loopx export` writes it. */
export type ProjectState = ReadonlyMap<string, readonly StateRow[]>;

const TABLE_OF: Readonly<Record<string, string>> = {
  goal: "goals",
  agent: "agents",
  activation: "activations",
  thread_binding: "thread_bindings",
  todo: "todos",
  turn: "turns",
  evidence: "evidence",
  decision_review: "decision_reviews",
  context_attachment: "context_attachments",
  compaction: "event_compactions",
};

/** Rows that no command changes any more: a compaction removes their events. */
const IS_CLOSED: Readonly<Record<string, (row: StateRow) => boolean>> = {
  todos: (row) => row["archived_at"] !== null && row["task_class"] !== "user_gate",
  turns: (row) => row["state"] === "settled" || row["state"] === "released",
  evidence: () => true,
};

// Activity renews a lease without an event.
const WITHOUT_EVENT = new Set(["claim_expires_at", "lease_expires_at"]);

/** Exports the project. Throws when the export fails or a line of it does not parse. */
export async function loadProjectState(world: World, options?: RunOptions): Promise<ProjectState> {
  const document = await world.call(["export"], options);
  const lines = readField(document, "lines");
  if (!Array.isArray(lines)) throw new Error(`export gave no lines: ${JSON.stringify(document).slice(0, 400)}`);
  return parseExport(lines.map(String));
}

/** Reads the lines of an export. Throws on one that is cut off, or when the last is missing. */
export function parseExport(lines: readonly string[]): ProjectState {
  const state = new Map<string, StateRow[]>();
  for (const line of lines) {
    const entry: unknown = JSON.parse(line);
    const row = readField(entry, "row");
    if (typeof row !== "object" || row === null) continue;
    const table = readText(entry, "table");
    state.set(table, [...(state.get(table) ?? []), Object.fromEntries(Object.entries(row))]);
  }
  return state;
}

export function listRows(state: ProjectState, table: string): readonly StateRow[] {
  return state.get(table) ?? [];
}

/** The event types of a project in the order they were written. */
export function listEventTypes(state: ProjectState): readonly string[] {
  return listRows(state, "events").map((event) => readText(event, "type"));
}

export function countEvents(state: ProjectState, type: string): number {
  return listEventTypes(state).filter((other) => other === type).length;
}

/**
 * What in a state contradicts itself: an id given twice, a gap in a goal's event numbers, a row that is not the last image
 * of its entity, a row or an image without the other. Empty for a state that only whole transactions made.
 */
export function findContradictions(state: ProjectState): readonly string[] {
  return [...findNumberingFaults(state), ...findImageFaults(state), ...findRepeatedIds(state)];
}

function findNumberingFaults(state: ProjectState): readonly string[] {
  const next = new Map<string, number>();
  const cutoffs = findCutoffs(state);
  const faults: string[] = [];
  for (const event of listRows(state, "events")) {
    const goal = readText(event, "goal_id");
    const cutoff = cutoffs.get(goal) ?? 0;
    if (Number(event["seq"]) < cutoff) continue;
    const expected = next.get(goal) ?? Math.max(cutoff, 1);
    if (event["seq"] !== expected) faults.push(`event ${String(event["seq"])} of ${goal} where ${expected} was due`);
    next.set(goal, expected + 1);
  }
  return faults;
}

/** The last event of each goal up to which others were removed. */
function findCutoffs(state: ProjectState): ReadonlyMap<string, number> {
  const cutoffs = new Map<string, number>();
  for (const row of listRows(state, "event_compactions")) {
    const goal = readText(row, "goal_id");
    cutoffs.set(goal, Math.max(cutoffs.get(goal) ?? 0, Number(row["through_seq"])));
  }
  return cutoffs;
}

function findImageFaults(state: ProjectState): readonly string[] {
  const images = new Map<string, { readonly table: string; readonly image: StateRow }>();
  for (const event of listRows(state, "events")) {
    const table = TABLE_OF[readText(event, "entity")] ?? "";
    const image: unknown = JSON.parse(readText(event, "image"));
    images.set(`${table}/${readText(event, "goal_id")}/${readText(event, "entity_id")}`, {
      table,
      image: Object.fromEntries(Object.entries(image ?? {})),
    });
  }
  const faults: string[] = [];
  for (const [key, { table, image }] of images) {
    const isItsRow = (row: StateRow): boolean => Object.keys(image).every((column) => isSameValue(row, image, column));
    if (!listRows(state, table).some(isItsRow)) faults.push(`no row equals the last image of ${key}`);
  }
  const imageCounts = new Map<string, number>();
  for (const { table } of images.values()) imageCounts.set(table, (imageCounts.get(table) ?? 0) + 1);
  const cutoffs = findCutoffs(state);
  for (const [kind, table] of Object.entries(TABLE_OF)) {
    const isCompacted = (row: StateRow): boolean =>
      cutoffs.has(String(row["goal_id"])) &&
      IS_CLOSED[table]?.(row) === true &&
      !images.has(`${table}/${String(row["goal_id"])}/${String(row[`${kind}_id`])}`);
    const rowCount = listRows(state, table).filter((row) => !isCompacted(row)).length;
    if (rowCount !== (imageCounts.get(table) ?? 0))
      faults.push(`${rowCount} rows in ${table}, ${imageCounts.get(table)} imaged`);
  }
  return faults;
}

function isSameValue(row: StateRow, image: StateRow, column: string): boolean {
  if (WITHOUT_EVENT.has(column)) return true;
  const [stored, wanted] = [row[column] ?? null, image[column] ?? null];
  if (typeof wanted === "boolean") return stored === (wanted ? 1 : 0) || stored === wanted;
  if (typeof wanted !== "object" || wanted === null) return stored === wanted;
  return isDeepStrictEqual(typeof stored === "string" ? JSON.parse(stored) : stored, wanted);
}

function findRepeatedIds(state: ProjectState): readonly string[] {
  const keys = [
    ["todos", "todo_id"],
    ["turns", "turn_id"],
    ["evidence", "evidence_id"],
  ] as const;
  return keys.flatMap(([table, key]) => {
    const ids = listRows(state, table).map((row) => readText(row, key));
    return ids.length === new Set(ids).size ? [] : [`an id is given twice in ${table}`];
  });
}
