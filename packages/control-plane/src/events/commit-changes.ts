import type { Instant, Refusal } from "@loopx/contracts";
import type { Database, Transaction } from "@loopx/store";
import type { Actor } from "../agents/agent.ts";
import { saveGateTargets } from "../gates/gate-target-rows.ts";
import { saveDependencies } from "../todos/todo-rows.ts";
import { saveEntity } from "./entity-table.ts";
import { ENTITY_TABLES, entityIdOf } from "./entity-tables.ts";
import { EVENT_TYPES, type Change, type EntityKind } from "./event.ts";
import { loadLastSeq } from "./last-seq.ts";

/** A decision that was accepted: what to write, and what to tell the caller. */
export interface Accepted<Result> {
  readonly ok: true;
  readonly changes: readonly Change[];
  readonly result: Result;
}

/** Who writes, and when. */
export interface ChangeContext {
  readonly goalId: string;
  readonly actor: Actor;
  readonly now: Instant;
}

export function accept<Result>(result: Result, ...changes: readonly Change[]): Accepted<Result> {
  return { ok: true, changes, result };
}

/**
 * Loads, decides and commits in one write transaction.
 *
 * A refusal writes nothing. Durable when the promise settles.
 */
export async function changeGoal<Result>(
  database: Database,
  context: ChangeContext,
  decide: (tx: Transaction) => Promise<Accepted<Result> | Refusal>,
): Promise<Result | Refusal> {
  return database.write(async (tx) => {
    const decided = await decide(tx);
    if (!decided.ok) return decided;
    await commitChanges(tx, context, decided.changes);
    return decided.result;
  });
}

/** Appends the events and makes the rows equal to their images. */
export async function commitChanges(
  tx: Transaction,
  context: ChangeContext,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return;
  let seq = await loadLastSeq(tx, context.goalId);
  for (const change of changes) {
    seq += 1;
    const entity = EVENT_TYPES[change.type].entity;
    await tx.run(
      "INSERT INTO events (goal_id, seq, type, at, actor, entity, entity_id, image) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      context.goalId,
      seq,
      change.type,
      context.now,
      JSON.stringify(context.actor),
      entity,
      entityIdOf(entity, change.image),
      JSON.stringify(change.image),
    );
    await saveImage(tx, entity, change.image);
    if (entity === "todo" && "depends_on" in change.image) {
      const isNew = change.type === "todo_added.v1";
      await saveDependencies(tx, change.image, isNew);
      const { gate } = change.image;
      if (gate !== null) await saveGateTargets(tx, { ...change.image, gate }, isNew);
    }
  }
}

/** Writes one entity's row from its image. */
async function saveImage(tx: Transaction, entity: EntityKind, image: object): Promise<void> {
  await saveEntity(tx, ENTITY_TABLES[entity], image as never);
}
