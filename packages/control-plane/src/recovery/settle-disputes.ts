import type { EntityKind } from "../events/event.ts";
import { isHeldRightly } from "../integrity/find-state-faults.ts";
import { toImageKey } from "../integrity/newest-images.ts";
import type { Todo } from "../todos/todo.ts";
import type { Evidence, Turn } from "../turns/turn.ts";

/** One entity of a store that is recovered: what it is, where that comes from, and whether an event has to say so. */
export interface Entity {
  readonly kind: EntityKind;
  readonly value: Readonly<Record<string, unknown>>;
  readonly origin: "row" | "image";
  readonly needsEvent: boolean;
}

type Entities = ReadonlyMap<string, Entity>;

/**
 * Takes apart what cannot stand beside each other when some of it comes from older images than the rest.
 *
 * What is of a goal that is lost is dropped: nobody knows its objective. Evidence of a turn that is lost is dropped, and so is
 * a second record of one turn. Of a lane's open turns the latest stays open, if its todo says so too; another one is ended as
 * its lease would have ended it, so that no turn that was charged becomes free.
 */
export function settleDisputes(entities: Entities): { readonly entities: Entities; readonly droppedCount: number } {
  const withGoal = keep(entities, (entity) => has(entities, "goal", entity.value["goal_id"], entity.value["goal_id"]));
  const shown = new Set<string>();
  const kept = keep(withGoal, ({ kind, value }) => {
    const { goal_id: goalId, turn_id: turnId } = value as Partial<Evidence>;
    if (kind !== "evidence" || turnId === null) return true;
    const key = `${goalId}\n${turnId}`;
    const isFirst = !shown.has(key) && has(withGoal, "turn", goalId, turnId);
    shown.add(key);
    return isFirst;
  });
  return { entities: endTurns(kept, shown), droppedCount: entities.size - kept.size };
}

function keep(entities: Entities, isKept: (entity: Entity) => boolean): Entities {
  return new Map([...entities].filter(([, entity]) => isKept(entity)));
}

function has(entities: Entities, kind: EntityKind, goalId: unknown, id: unknown): boolean {
  return entities.has(toImageKey(kind, goalId, String(id)));
}

function endTurns(entities: Entities, shown: ReadonlySet<string>): Entities {
  const latest = new Map<string, Turn>();
  for (const turn of listOpenTurns(entities)) {
    const lane = `${turn.goal_id}\n${turn.agent_id}`;
    const other = latest.get(lane);
    if (other === undefined || other.opened_at < turn.opened_at) latest.set(lane, turn);
  }
  const settled = new Map(entities);
  for (const turn of listOpenTurns(entities)) {
    const todo = entities.get(toImageKey("todo", turn.goal_id, turn.todo_id))?.value as Todo | undefined;
    const isLatest = latest.get(`${turn.goal_id}\n${turn.agent_id}`) === turn;
    if (isLatest && isHeldRightly(turn, todo)) continue;
    const state = shown.has(`${turn.goal_id}\n${turn.turn_id}`) ? "lapsed" : "released";
    const key = toImageKey("turn", turn.goal_id, turn.turn_id);
    const value = { ...turn, state, ...(state === "released" ? { closed_at: turn.lease_expires_at } : {}) };
    settled.set(key, { kind: "turn", value, origin: entities.get(key)?.origin ?? "row", needsEvent: true });
  }
  return settled;
}

function listOpenTurns(entities: Entities): readonly Turn[] {
  return [...entities.values()]
    .filter(({ kind, value }) => kind === "turn" && value["state"] === "open")
    .map(({ value }) => value as unknown as Turn);
}
