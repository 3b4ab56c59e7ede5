import type { Instant } from "@loopx/contracts";
import type { Activation } from "../activations/activation.ts";
import type { Actor, Agent } from "../agents/agent.ts";
import type { Compaction } from "../compactions/compaction.ts";
import type { ContextAttachment } from "../contexts/context-attachment.ts";
import type { Goal } from "../goals/goal.ts";
import type { DecisionReview } from "../reviews/decision-review.ts";
import type { ThreadBinding } from "../threads/thread-binding.ts";
import type { Todo } from "../todos/todo.ts";
import type { Evidence, Turn } from "../turns/turn.ts";

/** Every kind of event there is. A shipped name and its image are frozen; a new shape gets a new version. */
export const EVENT_TYPES = {
  "goal_created.v1": { entity: "goal", means: "a goal was created" },
  "goal_edited.v1": { entity: "goal", means: "the objective changed; the revision grew" },
  "goal_paused.v1": { entity: "goal", means: "the goal was paused" },
  "goal_resumed.v1": { entity: "goal", means: "an owner resumed the goal" },
  "goal_stopped.v1": { entity: "goal", means: "an owner stopped the goal" },
  "goal_completed.v1": { entity: "goal", means: "the goal was completed" },
  "goal_budget_set.v1": { entity: "goal", means: "the turn budget changed" },
  "agent_registered.v1": { entity: "agent", means: "a lane was registered" },
  "activation_recorded.v1": { entity: "activation", means: "the loop of a lane was set up, by its own word" },
  "thread_bound.v1": { entity: "thread_binding", means: "a host thread was bound to a lane, not yet read back" },
  "thread_verified.v1": { entity: "thread_binding", means: "project and home read back the same binding" },
  "thread_unbound.v1": { entity: "thread_binding", means: "a host thread was unbound" },
  "todo_added.v1": { entity: "todo", means: "a todo was written" },
  "todo_claimed.v1": { entity: "todo", means: "an agent took the claim" },
  "todo_released.v1": { entity: "todo", means: "the claim was given back or taken away" },
  "todo_updated.v1": { entity: "todo", means: "a field of the todo changed" },
  "todo_completed.v1": { entity: "todo", means: "the todo was completed" },
  "todo_deferred.v1": { entity: "todo", means: "the todo waits for its resume condition" },
  "todo_superseded.v1": { entity: "todo", means: "another todo takes its place, or none" },
  "todo_archived.v1": { entity: "todo", means: "a finished todo left the lists" },
  "gate_decided.v1": { entity: "todo", means: "an owner decided a gate" },
  "turn_opened.v1": { entity: "turn", means: "a turn was minted and one turn of the budget reserved" },
  "turn_lapsed.v1": { entity: "turn", means: "the lease ended with evidence; the turn stays settleable" },
  "turn_released.v1": { entity: "turn", means: "the lease ended without evidence; nothing was charged" },
  "turn_settled.v1": { entity: "turn", means: "the turn was charged" },
  "evidence_recorded.v1": { entity: "evidence", means: "evidence was recorded" },
  "decision_reviewed.v1": { entity: "decision_review", means: "a decision was settled on its evidence, or put off" },
  "decision_outcome_recorded.v1": { entity: "decision_review", means: "what came of a decision was recorded" },
  "context_attached.v1": { entity: "context_attachment", means: "what turns ask runtime context for was recorded" },
  "context_detached.v1": { entity: "context_attachment", means: "turns can't ask for this context any more" },
  "events_compacted.v1": { entity: "compaction", means: "earlier events were removed by an owner's policy" },
} as const;

export type EventType = keyof typeof EVENT_TYPES;
export type EntityKind = (typeof EVENT_TYPES)[EventType]["entity"];

interface EntityByKind {
  goal: Goal;
  agent: Agent;
  activation: Activation;
  thread_binding: ThreadBinding;
  todo: Todo;
  turn: Turn;
  evidence: Evidence;
  decision_review: DecisionReview;
  context_attachment: ContextAttachment;
  compaction: Compaction;
}

/** What a decision wants done: an event and the after-image of its entity. */
export type Change = {
  [Type in EventType]: { readonly type: Type; readonly image: EntityByKind[(typeof EVENT_TYPES)[Type]["entity"]] };
}[EventType];

/** An event as stored. */
export interface StoredEvent {
  readonly goal_id: string;
  readonly seq: number;
  readonly type: EventType;
  readonly at: Instant;
  readonly actor: Actor;
  readonly entity: EntityKind;
  readonly entity_id: string;
  readonly image: Readonly<Record<string, unknown>>;
}
