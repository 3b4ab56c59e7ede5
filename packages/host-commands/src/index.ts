// The front door of @loopx/host-commands: named exports only.
export type { PrintCommand, PrintedFlag } from "./print-command.ts";
export { findHostMarker, HOST_MARKERS, listMarkerVariables, type HostMarker, type MarkedHost } from "./host-markers.ts";
export {
  CODEX_SURFACES,
  SURFACES,
  surfaceOf,
  type ActivationMethod,
  type HostSurface,
  type Surface,
} from "./surfaces/surface.ts";
export { parseHostSurface } from "./surfaces/parse-host-surface.ts";
export { parseSessionLocator, type SessionLocator } from "./session-locator/session-locator.ts";
export {
  parseThreadReference,
  type ThreadReference,
  type TypedThreadReference,
} from "./session-locator/thread-reference.ts";
export {
  decideThreadResolution,
  type StoredThreadBinding,
  type ThreadMatch,
  type ThreadResolution,
} from "./session-locator/thread-resolution.ts";
export { findThreadId } from "./identity/thread-id.ts";
export { proposeAgentId } from "./identity/fresh-agent-id.ts";
export {
  decideIdentity,
  type GatedIdentityState,
  type IdentityChoice,
  type IdentityDecision,
  type IdentityFacts,
  type ThreadBindingFact,
} from "./identity/identity.ts";
export {
  decideGoalSelection,
  type GoalFact,
  type GoalSelection,
  type GoalSelectionFacts,
} from "./guided-start/goal-selection.ts";
export type {
  CallerFacts,
  Effect,
  GuidedStartFacts,
  ProjectConnection,
  ProjectFacts,
} from "./guided-start/guided-start-facts.ts";
export type {
  GatedStartPacket,
  GuidedStartBlocker,
  GuidedStartPacket,
  GuidedTransaction,
  ReadyStartPacket,
} from "./guided-start/guided-start-packet.ts";
export type { GuidedStep, GuidedStepKind } from "./guided-start/ordered-steps.ts";
export { renderGuidedStart } from "./guided-start/guided-start.ts";
export { renderGuidedStartText } from "./guided-start/guided-start-text.ts";
export { findGoalText } from "./guided-start/slash-arguments.ts";
export type { GoalSelectionGate } from "./gates/goal-selection-gate.ts";
export type { HostSurfaceGate } from "./gates/host-surface-gate.ts";
export type { IdentityGate } from "./gates/identity-gate.ts";
export type { ProjectGate } from "./gates/project-gate.ts";
export type { CommandPackFacts } from "./command-pack/command-pack-facts.ts";
export type { CommandPackPacket, NextStepKind } from "./command-pack/command-pack-packet.ts";
export { renderCommandPack } from "./command-pack/command-pack.ts";
export { renderCommandPackText } from "./command-pack/command-pack-text.ts";
export { renderActivation, type HostActivation } from "./activation/activation.ts";
export type { ActivationTarget } from "./activation/task-body.ts";
export {
  DETAIL_FIELDS,
  LIST_FIELDS,
  parsePullRequest,
  parsePullRequestDetail,
  type PullRequest,
  type PullRequestDetail,
} from "./pr-review/pull-request.ts";
export { REVIEW_CONTRACT, REVIEW_EVIDENCE, toHeadRule } from "./pr-review/review-contract.ts";
export {
  queuePullRequests,
  toArea,
  toQueued,
  toReviewAction,
  type QueuedPullRequest,
  type SchedulingLane,
} from "./pr-review/review-queue.ts";
export {
  checkRecordedActivation,
  type ActivationState,
  type RecordedActivation,
} from "./activation/activation-state.ts";
export { renderHeartbeatPrompt } from "./activation/heartbeat-prompt.ts";
export { renderContextFrame } from "./activation/context-frame.ts";
export { renderTurnPrompt } from "./activation/turn-prompt.ts";
export { renderAgentTypeCatalog, renderAgentTypeCatalogText } from "./agent-types/agent-type-catalog.ts";
export { parseAgentType } from "./agent-types/parse-agent-type.ts";
export type { OnboardingFacts, OnboardingPacket } from "./onboarding/onboarding-packet.ts";
export { renderOnboarding } from "./onboarding/render-onboarding.ts";
export { renderOnboardingText } from "./onboarding/onboarding-text.ts";
export { HOST_COMMANDS, type HostCommand } from "./registry/host-command.ts";
export { renderHostRegistry } from "./registry/registry-packet.ts";
export { renderCommandCatalog, renderCommandCatalogText } from "./registry/command-catalog.ts";
export { prefixesOf, type CommandPrefix } from "./surfaces/command-prefixes.ts";
export { parseHostMessage, type HostMessage } from "./parsing/parse-host-message.ts";
export type { HandoffFacts, HandoffProject } from "./handoff/handoff-facts.ts";
export type { HandoffPacket, HostHelpPacket, HostSetupPacket } from "./handoff/handoff-packet.ts";
export { renderHandoff } from "./handoff/render-handoff.ts";
export { renderUnknownHelp } from "./handoff/render-host-help.ts";
export { parseUiSurface } from "./handoff/parse-ui-surface.ts";
export { renderHandoffText, renderHostHelpText } from "./handoff/host-answer-text.ts";
export { HOOK_CONTRACTS, type HookHost } from "./hooks/hook-host.ts";
export { readHookPayload, type HookPrompt } from "./hooks/read-hook-payload.ts";
export { renderHookAnswer, type HookAction } from "./hooks/render-hook-answer.ts";
export { renderHookContext } from "./hooks/render-hook-context.ts";
export { decideFileState, type FileState } from "./installation/file-state.ts";
export type { EntryState } from "./installation/entry-state.ts";
export {
  HOST_NAMES,
  INSTALL_HOSTS,
  readRequestedHosts,
  type InstallHost,
  type InstallSurface,
  type RequestedHosts,
  surfacesOf,
} from "./installation/install-host.ts";
export type {
  EntryTarget,
  FileTarget,
  InstallScope,
  InstallTarget,
  Place,
  RetiredTarget,
  RootName,
  TargetPart,
} from "./installation/install-target.ts";
export { loadInstaller, type Installer } from "./installation/load-installer.ts";
export type { PlanRequest } from "./installation/plan-installation.ts";
export {
  decideEntry,
  decideFile,
  decideRetired,
  isDrift,
  type BlockReason,
  type InstallDecision,
  type InstallOperation,
} from "./installation/install-decision.ts";
export {
  describeStanding,
  renderInstallPacket,
  renderInstallText,
  type InstallRow,
  type InstallPacket,
} from "./installation/install-packet.ts";
