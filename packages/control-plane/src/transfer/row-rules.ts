import { LIMITS, parseAgentId, parseGoalId, parseThreadId, parseTodoId, parseTurnId } from "@loopx/contracts";
import type { Activation } from "../activations/activation.ts";
import type { Agent } from "../agents/agent.ts";
import type { Compaction } from "../compactions/compaction.ts";
import type { ContextAttachment } from "../contexts/context-attachment.ts";
import { EVENT_TYPES, type StoredEvent } from "../events/event.ts";
import { GATE_KINDS, type Gate } from "../gates/gate.ts";
import type { Goal } from "../goals/goal.ts";
import { OUTCOME_STATUSES, REVIEW_DISPOSITIONS, type DecisionReview } from "../reviews/decision-review.ts";
import type { ThreadBinding } from "../threads/thread-binding.ts";
import {
  COMPLETIONS,
  TASK_CLASSES,
  TODO_ROLES,
  TODO_STATUSES,
  type Todo,
  type ValidationCommand,
} from "../todos/todo.ts";
import {
  EVIDENCE_OUTCOMES,
  REPLAN,
  type Evidence,
  type EvidenceFile,
  type Turn,
  type ValidationResult,
} from "../turns/turn.ts";
import {
  anyOf,
  id,
  instant,
  integer,
  json,
  listOf,
  oneOf,
  orNull,
  prefixed,
  setOf,
  shape,
  text,
  word,
  writtenText,
  writtenTextOrEmpty,
  type RulesOf,
} from "../events/column-rule.ts";

const goalId = id(parseGoalId);
const agentId = id(parseAgentId);
const todoId = id(parseTodoId);
const turnId = id(parseTurnId);
const threadId = id(parseThreadId);
const evidenceId = word(/^evidence_[a-z0-9]{6,40}$/);
/** What an action is called. */
const actionWord = word(/^[a-z][a-z0-9_:./-]{0,79}$/);
/** An id of somebody else's, such as a ticket's. */
const targetKey = word(/^[A-Za-z0-9][A-Za-z0-9_:./@-]{0,79}$/);
const hostWord = word(/^[a-z0-9][a-z0-9_.:-]{0,79}$/);
/** A name in decision context, and the reference of one of its packets. */
const token = word(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$/);
const packetRef = (kind: string) => word(new RegExp(`^${kind}-[0-9a-f]{20}$`));
/** An id of a Context Project, and a place that a command of ours wrote: a name, below the root, or absolute. */
const contextId = word(/^[a-z][a-z0-9-]{0,62}$/);
const contextPlace =
  (names: RegExp) =>
  (value: unknown): boolean =>
    typeof value === "string" && names.test(value) && text({ maxBytes: 4096 })(value);
const objective = text({ maxBytes: LIMITS.taskTextMaxBytes });
const label = orNull(text({ maxCodePoints: LIMITS.todoTextMaxCodePoints, isEmptyAllowed: true }));
const count = integer(0);

/** The compact form of who did something: `agent:ID`, `owner:VIA`, `process`. */
const actorText = anyOf(
  prefixed("agent:", agentId),
  oneOf(["owner:terminal", "owner:token", "owner:workstation", "process"]),
  prefixed("process:", hostWord),
);

const actor = anyOf(
  shape({ kind: oneOf(["agent"]), agent_id: agentId }),
  shape({ kind: oneOf(["owner"]), via: oneOf(["terminal", "token", "workstation"]) }),
  shape({ kind: oneOf(["owner"]), via: oneOf(["token"]), token_id: word(/^[a-z0-9_]{1,80}$/) }),
  shape({ kind: oneOf(["process"]) }),
  shape({ kind: oneOf(["process"]), host: hostWord }),
);

const gate = shape<Gate>(
  {
    kind: oneOf(GATE_KINDS),
    blocks: setOf(anyOf(oneOf(["goal"]), prefixed("agent:", agentId), todoId)),
    decision: oneOf([null, "approved", "rejected", "deferred"]),
    decided_by: orNull(actorText),
    decided_at: orNull(instant),
    ask_again_at: orNull(instant),
    proposed_objective: orNull(objective),
    base_revision: orNull(integer(1)),
  },
  ["base_revision"],
);

const validationCommand = shape<ValidationCommand>({
  argv: listOf(text({ isEmptyAllowed: true }), 1),
  label,
  timeout_ms: integer(1, 3_600_000),
});

const validationResult = shape<ValidationResult>({
  status: oneOf(["passed", "failed", "not_run"]),
  label,
  exit_code: orNull(integer(0)),
  timed_out: oneOf([true, false]),
  ran_in: oneOf([null, "root", "worktree"]),
  output: orNull(writtenTextOrEmpty),
});

const evidenceFile = shape<EvidenceFile>({ path: text({}), sha256: word(/^[0-9a-f]{64}$/), bytes: count });

/** What a request may carry. */
function inputRecord(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const inputs = Object.entries(value);
  const isFit = text({ maxCodePoints: 4096, isEmptyAllowed: true });
  return (
    inputs.length <= 32 && inputs.every(([name, entry]) => /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/.test(name) && isFit(entry))
  );
}

interface RowRules {
  readonly goals: RulesOf<Goal>;
  readonly agents: RulesOf<Agent>;
  readonly activations: RulesOf<Activation>;
  readonly thread_bindings: RulesOf<ThreadBinding>;
  readonly todos: RulesOf<Todo>;
  readonly todo_dependencies: RulesOf<{ goal_id: string; todo_id: string; depends_on_id: string }>;
  readonly turns: RulesOf<Turn>;
  readonly evidence: RulesOf<Evidence>;
  readonly decision_reviews: RulesOf<DecisionReview>;
  readonly context_attachments: RulesOf<ContextAttachment>;
  readonly event_compactions: RulesOf<Compaction>;
  readonly events: RulesOf<StoredEvent>;
}

/** What every column may hold: as strict as the commands that write it. */
export const ROW_RULES: RowRules = {
  goals: {
    goal_id: goalId,
    objective,
    status: oneOf(["active", "paused", "completed", "stopped"]),
    revision: integer(1),
    budget_total_turns: orNull(count),
    budget_window_turns: orNull(count),
    budget_window_ms: orNull(integer(1)),
    // An earlier version stored an empty reason as it was given.
    reason: orNull(writtenTextOrEmpty),
    created_at: instant,
    updated_at: instant,
  },
  agents: { goal_id: goalId, agent_id: agentId, registered_at: instant },
  activations: {
    goal_id: goalId,
    agent_id: agentId,
    host_surface: hostWord,
    thread_id: orNull(threadId),
    loop_driver: orNull(writtenText),
    task_body_digest: word(/^sha256:[0-9a-f]{64}$/),
    recorded_at: instant,
  },
  thread_bindings: {
    goal_id: goalId,
    host_surface: hostWord,
    thread_id: threadId,
    agent_id: agentId,
    status: oneOf(["bound", "unbound"]),
    is_verified: oneOf([0, 1]),
    bound_at: instant,
  },
  todos: {
    goal_id: goalId,
    todo_id: todoId,
    role: oneOf(TODO_ROLES),
    task_class: oneOf(TASK_CLASSES),
    status: oneOf(TODO_STATUSES),
    text: writtenText,
    priority: integer(0, 4),
    position: integer(1),
    action_kind: orNull(actionWord),
    target_key: orNull(targetKey),
    depends_on: json(setOf(todoId)),
    resume: orNull(anyOf(oneOf(["manual"]), prefixed("after:", instant), prefixed("todo_done:", todoId))),
    claimed_by: orNull(agentId),
    claim_epoch: count,
    claim_expires_at: orNull(instant),
    validation: orNull(json(validationCommand)),
    cadence_ms: orNull(integer(1)),
    due_at: orNull(instant),
    held_by: orNull(actorText),
    note: orNull(writtenText),
    // An earlier version stored an empty reason as it was given.
    reason: orNull(writtenTextOrEmpty),
    completion: orNull(oneOf(COMPLETIONS)),
    successor_todo_id: orNull(todoId),
    gate: orNull(json(gate)),
    created_by: actorText,
    created_at: instant,
    updated_at: instant,
    completed_at: orNull(instant),
    archived_at: orNull(instant),
  },
  todo_dependencies: { goal_id: goalId, todo_id: todoId, depends_on_id: todoId },
  turns: {
    goal_id: goalId,
    turn_id: turnId,
    agent_id: agentId,
    todo_id: anyOf(todoId, oneOf([REPLAN])),
    state: oneOf(["open", "lapsed", "settled", "released"]),
    holder: orNull(threadId),
    claim_epoch: count,
    lease_expires_at: instant,
    opened_at: instant,
    closed_at: orNull(instant),
  },
  evidence: {
    goal_id: goalId,
    evidence_id: evidenceId,
    agent_id: orNull(agentId),
    todo_id: orNull(anyOf(todoId, oneOf([REPLAN]))),
    turn_id: orNull(turnId),
    outcome: oneOf(EVIDENCE_OUTCOMES),
    text: writtenTextOrEmpty,
    files: json(listOf(evidenceFile)),
    validation: orNull(json(validationResult)),
    recorded_at: instant,
  },
  decision_reviews: {
    goal_id: goalId,
    checkpoint_ref: packetRef("decision-cursor-checkpoint"),
    decision_id: token,
    evidence_packet_ref: packetRef("decision-evidence"),
    proposal_packet_ref: orNull(packetRef("decision-proposal")),
    review_receipt_ref: packetRef("decision-review"),
    disposition: oneOf(REVIEW_DISPOSITIONS),
    actor_ref: token,
    reason_code: token,
    summary: writtenText,
    gate_todo_id: orNull(todoId),
    recorded_at: instant,
    outcome_receipt_ref: orNull(packetRef("decision-outcome")),
    outcome_status: orNull(oneOf(OUTCOME_STATUSES)),
  },
  context_attachments: {
    goal_id: goalId,
    profile: contextId,
    status: oneOf(["attached", "detached"]),
    context_project: contextPlace(/^\.?\//),
    binding: contextPlace(/^(?:\.?\/|[a-z][a-z0-9-]{0,62}$)/),
    objective: contextId,
    consumer: contextId,
    inputs: json(inputRecord),
    trace_store: orNull(contextPlace(/^\.?\//)),
    changed_at: instant,
  },
  event_compactions: {
    goal_id: goalId,
    compaction_id: word(/^compaction_[a-z0-9]{6,40}$/),
    from_seq: integer(1),
    through_seq: integer(1),
    through_at: instant,
    removed_count: integer(1),
    removed_bytes: integer(1),
    older_than_ms: orNull(count),
    keep_events: orNull(count),
    archive: orNull(word(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,254}$/)),
    archive_digest: orNull(word(/^sha256:[0-9a-f]{64}$/)),
    compacted_at: instant,
  },
  events: {
    goal_id: goalId,
    seq: integer(1),
    type: (value) => typeof value === "string" && Object.hasOwn(EVENT_TYPES, value),
    at: instant,
    actor: json(actor),
    entity: oneOf(Object.values(EVENT_TYPES).map(({ entity }) => entity)),
    entity_id: text({ maxCodePoints: 3 * LIMITS.idMaxLength }),
    image: json((value) => typeof value === "object" && value !== null && !Array.isArray(value)),
  },
};
