// The front door of @loopx/control-plane: named exports only.
export type { Activation } from "./activations/activation.ts";
export { findActivation, listActivations } from "./activations/activation-rows.ts";
export { recordActivation } from "./activations/record-activation.ts";
export { renderActor, type Actor, type Agent } from "./agents/agent.ts";
export { findAgent, listAgents } from "./agents/agent-rows.ts";
export { checkOwner, type Caller } from "./agents/check-actor.ts";
export { registerAgents, type RegisterAgentsRequest, type RegisteredAgents } from "./agents/register-agents.ts";
export { checkAnswerable } from "./compactions/check-answerable.ts";
export { compactGoal, type ArchivedEvents, type CompactedGoal, type EventArchive } from "./compactions/compact-goal.ts";
export type { Compaction } from "./compactions/compaction.ts";
export { findLastCompaction, listCompactions } from "./compactions/compaction-rows.ts";
export { planCompaction, type CompactionPlan, type CompactionPolicy } from "./compactions/plan-compaction.ts";
export {
  attachContext,
  detachContext,
  refuseNotAttached,
  type AttachContextRequest,
  type ChangedAttachment,
} from "./contexts/attach-context.ts";
export {
  findContextAttachment,
  listAllContextAttachments,
  listContextAttachments,
} from "./contexts/context-attachment-rows.ts";
export { FROM_TARGET_KEY, type ContextAttachment } from "./contexts/context-attachment.ts";
export { CONTEXT_NOT_FETCHED, type ContextFact } from "./decision/context-fact.ts";
export { decideNext } from "./decision/decide-next.ts";
export {
  FRUITLESS_REPLANS_LIMIT,
  RELEASED_TURNS_LIMIT,
  type CandidateTodo,
  type DecidedNext,
  type Decision,
  type DecisionFacts,
  type GateFact,
  type SelectedBy,
  type WaitFor,
} from "./decision/decision.ts";
export { loadUnmetDependencies } from "./decision/unmet-dependencies.ts";
export { findHold, type Hold } from "./decision/runnable-todo.ts";
export { loadDecisionFacts } from "./decision/load-decision-facts.ts";
export { EVENT_TYPES, type Change, type EntityKind, type EventType, type StoredEvent } from "./events/event.ts";
export { listEvents, listEventsOfEntity } from "./events/history.ts";
export { listEntitiesAt, loadStateAt, type EntityAt } from "./events/state-at.ts";
export { loadChangeMark } from "./events/change-mark.ts";
export { findSeqAt, loadLastSeq } from "./events/last-seq.ts";
export { decideGate, previewGate, type DecidedGate, type GateVerdict } from "./gates/decide-gate.ts";
export { loadGateVerdict, openDecisionGate } from "./gates/decision-gate.ts";
export { listGatesNaming } from "./gates/gate-target-rows.ts";
export { GATE_KINDS, RESTRICTED_ACTION_KINDS, type Gate, type GateKind } from "./gates/gate.ts";
export {
  completeGoal,
  editGoal,
  parseObjective,
  pauseGoal,
  resumeGoal,
  setGoalBudget,
  stopGoal,
  type ChangedGoal,
  type GoalBudget,
} from "./goals/change-goal.ts";
export { createGoal } from "./goals/create-goal.ts";
export { findGoal, listGoals } from "./goals/goal-rows.ts";
export type { Goal, GoalStatus } from "./goals/goal.ts";
export { loadGoal } from "./goals/load-goal.ts";
export type { KeptGoalFacts } from "./overview/goal-facts.ts";
export type { GoalOverview, LaneOutlook, LiveGate, OverviewQuery } from "./overview/goal-overview.ts";
export type { Progress } from "./overview/overview-rows.ts";
export { loadProjectOverview, type ProjectOverview } from "./overview/project-overview.ts";
export { RISK_CATEGORIES, RISK_SEVERITIES, type Risk, type RiskCategory, type RiskKind } from "./overview/risk.ts";
export type { HeldBy, Readiness, WorkItem } from "./overview/work-item.ts";
export {
  createOwnerToken,
  findOwnerToken,
  listOwnerTokens,
  revokeOwnerToken,
  type OwnerToken,
} from "./owners/owner-token.ts";
export { findStateFaults } from "./integrity/find-state-faults.ts";
export type { StateFault } from "./integrity/state-fault.ts";
export { LATER_PROJECT_MIGRATIONS, PROJECT_MIGRATIONS } from "./project-schema.ts";
export { connectProject, refuseHome, type ConnectRequest, type ConnectedProject } from "./registry/connect-project.ts";
export { rebuildState, type RecoveryCounts, type RowsByTable } from "./recovery/rebuild-state.ts";
export { saveRecoveredHome } from "./recovery/save-recovered-home.ts";
export { isStateRow, saveRecoveredState } from "./recovery/save-recovered-state.ts";
export { findRegistryFaults } from "./registry/find-registry-faults.ts";
export { HOME_MIGRATIONS } from "./registry/home-schema.ts";
export { ensureProjectId, findProjectId, registerNewProject, replaceProjectId } from "./registry/project-identity.ts";
export { listTakenGoalIds, renameGoals } from "./registry/rename-goals.ts";
export { checkProjectTrust } from "./registry/project-trust.ts";
export { loadRegistryProjection, REGISTRY_SCHEMA, type RegistryProjection } from "./registry/registry-projection.ts";
export {
  findProjectById,
  findRegisteredBinding,
  findRegisteredGoal,
  hasGoalsAtRoot,
  listProjectsAtRoot,
  listRegisteredAgentIds,
  listRegisteredGoals,
  mirrorGoal,
  type RegisteredGoal,
  type RegisteredProject,
} from "./registry/registry-rows.ts";
export type { DecisionReview } from "./reviews/decision-review.ts";
export { findDecisionReview } from "./reviews/decision-review-rows.ts";
export { checkReviewer, recordReview } from "./reviews/record-review.ts";
export { loadSetting, parseSettingName, saveSetting, SETTINGS, type SettingName } from "./settings/settings.ts";
export { bindThread, previewBind, previewUnbind, unbindThread, type BindRequest } from "./threads/bind-thread.ts";
export { findThreadBinding, listBindingsOfGoal, listBindingsOfThread } from "./threads/thread-binding-rows.ts";
export type { ThreadBinding } from "./threads/thread-binding.ts";
export {
  BOARD_COLUMNS,
  countBoard,
  listBoardColumn,
  parseBoardCursor,
  type BoardColumn,
  type BoardCursor,
} from "./todos/board-queries.ts";
export { refuseCredential } from "./todos/check-todo-text.ts";
export { addTodo, type AddTodoRequest, type AddedTodo } from "./todos/add-todo.ts";
export { archiveTodos } from "./todos/archive-todos.ts";
export type { ChangedTodo } from "./todos/change-todo.ts";
export { claimTodo, releaseTodo } from "./todos/claim-todo.ts";
export { completeTodo, findCompletionRefusal, type CompletedTodo, type FollowUp } from "./todos/complete-todo.ts";
export { deferTodo } from "./todos/defer-todo.ts";
export { newGate, readPriorityPrefix, type TodoDraft } from "./todos/new-todo.ts";
export { parseResumeCondition } from "./todos/resume-condition.ts";
export { supersedeTodo } from "./todos/supersede-todo.ts";
export {
  countLiveGates,
  countOpenForOwner,
  countTodosByStatus,
  listLiveGates,
  listOpenActions,
  listTodoIds,
  listTodos,
  parseTodoCursor,
  type Page,
  type TodoFilter,
} from "./todos/todo-queries.ts";
export { countLiveTodos, findTodo } from "./todos/todo-rows.ts";
export {
  isTerminal,
  type TaskClass,
  type Todo,
  type TodoRole,
  type TodoStatus,
  type ValidationCommand,
} from "./todos/todo.ts";
export { updateTodo, type TodoEdit } from "./todos/update-todo.ts";
export { EXPORT_SCHEMA, exportProject } from "./transfer/export-project.ts";
export { importProject } from "./transfer/import-project.ts";
export { carryProject, importCarried, type CarriedProject } from "./transfer/python/carry-project.ts";
export type { NotCarried } from "./transfer/python/carry-report.ts";
export { parsePythonRegistry } from "./transfer/python/python-registry.ts";
export {
  activateMoved,
  findMovedMark,
  loadProjectCreatedAt,
  markAsMoved,
  toMovedError,
  type MovedMark,
} from "./transfer/moved-state.ts";
export { replaceProjectState } from "./transfer/replace-state.ts";
export { askNextTurn, type NextTurn, type NextTurnRequest } from "./turns/ask-next-turn.ts";
export { peekNextTurn } from "./turns/peek-next-turn.ts";
export { renewTurn } from "./turns/renew-turn.ts";
export { recordEvidence } from "./turns/record-evidence.ts";
export {
  countEvidence,
  countTurnsByDay,
  listEvidenceOfTodo,
  listTurns,
  type DayOfTurns,
} from "./turns/spend-history.ts";
export { spendTurn } from "./turns/spend-turn.ts";
export {
  findEvidenceOfTurn,
  findOpenTurn,
  findTurn,
  listLatestTurns,
  countOpenTurns,
  loadTurnUse,
  type TurnUse,
} from "./turns/turn-rows.ts";
export {
  EVIDENCE_OUTCOMES,
  findThreadOfTurn,
  REPLAN,
  renderSettlementIdentity,
  type Evidence,
  type EvidenceFile,
  type EvidenceOutcome,
  type Turn,
  type ValidationResult,
} from "./turns/turn.ts";
