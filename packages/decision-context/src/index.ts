// The front door of @loopx/decision-context: named exports only.
export {
  decideActivation,
  type Activation,
  type LoadedProfile,
  type ResolvedActivation,
} from "./activation/activation.ts";
export { isExtensionProvider } from "./activation/activation.ts";
export { DECISION_CONTEXT_MIGRATION, DECISION_CONTEXT_TABLES } from "./decision-context-schema.ts";
export { parseDocument } from "./documents/document-error.ts";
export type { Problem } from "./documents/field-rule.ts";
export { assembleEvidence, type AssembledEvidence, type EvidenceSources } from "./evidence/assemble-evidence.ts";
export { aRebase, NO_REBASE, type Rebase } from "./evidence/rebase.ts";
export { anOutcomeDraft } from "./outcome/outcome-receipt.ts";
export { recordOutcome } from "./outcome/record-outcome.ts";
export { readProfile } from "./profile/profile-rules.ts";
export type { Profile } from "./profile/profile.ts";
export { sketchProfile } from "./profile/sketch-profile.ts";
export type { AdvisoryRuntime } from "./recall/advisory-extension.ts";
export { createAdvisoryExtension } from "./recall/advisory-extension.ts";
export { recallOnce, type EphemeralRecall } from "./recall/ephemeral-recall.ts";
export { parseAskedRecall } from "./recall/parse-question.ts";
export { toRecallQuestion } from "./recall/parse-question.ts";
export { renderRecalledItems } from "./recall/render-recall.ts";
export { loadCursors } from "./review/cursor-rows.ts";
export type { GateDecisions, GateVerdict, OpenedGate } from "./review/gate-decisions.ts";
export { parseDecisionId, parseReviewWords } from "./review/parse-review-words.ts";
export {
  findUnsettleable,
  keepPreparedReview,
  type PreparedAnswer,
  type ReviewPorts,
} from "./review/prepare-review.ts";
export { listLatestPrepared } from "./review/prepared-review-rows.ts";
export type { PreparedReview } from "./review/prepared-review.ts";
export { aProposalDraft, toDecisionScope, toProposal, type Proposal } from "./review/proposal.ts";
export type { RecordedReview, ReviewEvents } from "./review/review-events.ts";
export { settleReview, type Settlement } from "./review/settle-review.ts";
export type { SourceAdapter } from "./sources/authority-source.ts";
export type { AuthoritySource, ScanOutcome, ScanRequest, SourceItem } from "./sources/authority-source.ts";
export { parseLayerSettings, type LayerSettings } from "./sources/layer-settings.ts";
export { LOCAL_FILE } from "./sources/local-file.ts";
export { toSourceManifest, type SourceManifest } from "./sources/source-manifest.ts";
