import type { EntityKind, EventType } from "../events/event.ts";

type Value = Readonly<Record<string, unknown>>;

/** The kind of event that says of an entity what its row does. `isKnown`: earlier events of it are there. */
export function toEventType(kind: EntityKind, value: Value, isKnown: boolean): EventType {
  switch (kind) {
    case "goal":
      return toGoalEvent(value, isKnown);
    case "agent":
      return "agent_registered.v1";
    case "activation":
      return "activation_recorded.v1";
    case "thread_binding":
      if (value["status"] === "unbound") return "thread_unbound.v1";
      return value["is_verified"] === true ? "thread_verified.v1" : "thread_bound.v1";
    case "todo":
      return toTodoEvent(value, isKnown);
    case "turn":
      return toTurnEvent(value);
    case "evidence":
      return "evidence_recorded.v1";
    case "decision_review":
      return value["outcome_receipt_ref"] === null ? "decision_reviewed.v1" : "decision_outcome_recorded.v1";
    case "context_attachment":
      return value["status"] === "detached" ? "context_detached.v1" : "context_attached.v1";
    case "compaction":
      return "events_compacted.v1";
    default:
      return kind satisfies never;
  }
}

function toGoalEvent({ status }: Value, isKnown: boolean): EventType {
  if (status === "paused") return "goal_paused.v1";
  if (status === "completed") return "goal_completed.v1";
  if (status === "stopped") return "goal_stopped.v1";
  return isKnown ? "goal_edited.v1" : "goal_created.v1";
}

function toTodoEvent({ status, claimed_by: claimedBy, archived_at: archivedAt }: Value, isKnown: boolean): EventType {
  if (!isKnown) return "todo_added.v1";
  if (archivedAt !== null) return "todo_archived.v1";
  if (status === "done") return "todo_completed.v1";
  if (status === "deferred") return "todo_deferred.v1";
  if (status === "superseded") return "todo_superseded.v1";
  return claimedBy === null ? "todo_updated.v1" : "todo_claimed.v1";
}

function toTurnEvent({ state }: Value): EventType {
  if (state === "settled") return "turn_settled.v1";
  if (state === "released") return "turn_released.v1";
  return state === "lapsed" ? "turn_lapsed.v1" : "turn_opened.v1";
}
