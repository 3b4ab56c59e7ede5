import { ACTIVATIONS } from "../activations/activation-rows.ts";
import { AGENTS } from "../agents/agent-rows.ts";
import { COMPACTIONS } from "../compactions/compaction-rows.ts";
import { CONTEXT_ATTACHMENTS } from "../contexts/context-attachment-rows.ts";
import { GOALS } from "../goals/goal-rows.ts";
import { DECISION_REVIEWS } from "../reviews/decision-review-rows.ts";
import { THREAD_BINDINGS } from "../threads/thread-binding-rows.ts";
import { TODOS } from "../todos/todo-rows.ts";
import { EVIDENCE, TURNS } from "../turns/turn-rows.ts";
import type { EntityTable } from "./entity-table.ts";
import type { EntityKind } from "./event.ts";

/** Where each kind of entity has its rows. */
export const ENTITY_TABLES: Readonly<Record<EntityKind, EntityTable<never>>> = {
  goal: GOALS,
  agent: AGENTS,
  activation: ACTIVATIONS,
  thread_binding: THREAD_BINDINGS,
  todo: TODOS,
  turn: TURNS,
  evidence: EVIDENCE,
  decision_review: DECISION_REVIEWS,
  context_attachment: CONTEXT_ATTACHMENTS,
  compaction: COMPACTIONS,
};

/** The entity's key without its goal: `claude-code/thread-1`, `todo_…`. */
export function entityIdOf(entity: EntityKind, image: object): string {
  const table: EntityTable<never> = ENTITY_TABLES[entity];
  const keys: readonly string[] = table.key;
  const own = keys.length === 1 ? keys : keys.filter((key) => key !== "goal_id");
  return own.map((key) => String((image as Record<string, unknown>)[key])).join("/");
}

/** Activity renews a lease without an event: these columns say more than the newest image. */
export const LEASE_COLUMNS: ReadonlySet<string> = new Set(["claim_expires_at", "lease_expires_at"]);
