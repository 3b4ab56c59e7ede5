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
