// The front door of @loopx/extensions: named exports only.
export {
  dispatchRequest,
  type DispatchFailure,
  type DispatchOptions,
  type DispatchOutcome,
} from "./dispatch/dispatch-request.ts";
export type { RuntimeBinding } from "./dispatch/runtime-binding.ts";
export { EXTENSIONS_MIGRATION } from "./extension-schema.ts";
export { ADVISORY_CAPABILITY, ADVISORY_PERMISSION, ADVISORY_PROTOCOL } from "./manifest/manifest.ts";
export type { ResolvedProvider } from "./readiness/decide-readiness.ts";
export {
  toUnreadableReadiness,
  type NextAction,
  type ProviderNeed,
  type ProviderReadiness,
  type ReadinessStatus,
} from "./readiness/provider-readiness.ts";
export { resolveProvider } from "./readiness/resolve-provider.ts";
export { previewProgram, type DoctorReport } from "./doctor/probe-program.ts";
export {
  decideDisable,
  decideDoctor,
  decideEnable,
  decideInstall,
  decideRemove,
  decideRollback,
  decideUpgrade,
  findActive,
  type RevisionDraft,
} from "./lifecycle/decide-operation.ts";
export type { ActiveExtension, ExtensionState } from "./lifecycle/extension.ts";
export { findActiveExtension, listActiveExtensions, listExtensionStates } from "./lifecycle/extension-rows.ts";
export {
  carryOutOperation,
  previewOperation,
  type ExtensionOperation,
  type OperationResult,
} from "./lifecycle/operate-extension.ts";
export { draftRevision, MANIFEST_FILE } from "./manifest/draft-revision.ts";
export { bindVerified } from "./readiness/bind-verified.ts";
export { checkExtension } from "./conformance/check-extension.ts";
export { ADVISORY_REQUEST_SCHEMA, type AdvisoryRequest } from "./conformance/advisory-request.ts";
export type { ConformanceReport } from "./conformance/conformance-report.ts";
export { renderStarter, type StarterLanguage } from "./starter/starter.ts";
