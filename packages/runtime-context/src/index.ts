// The front door of @loopx/runtime-context: named exports only.
export type { DeploymentBinding, HttpProviderBinding } from "./binding/deployment-binding.ts";
export {
  explainBinding,
  findBindingInProject,
  type BoundProvider,
  type ExplainedBinding,
} from "./binding/explain-binding.ts";
export { inspectBinding, parseBinding } from "./binding/parse-binding.ts";
export { parseSecretReference, resolveSecret } from "./binding/secret-reference.ts";
export type { ContextBuild } from "./build/context-build.ts";
export { createBuild } from "./build/create-build.ts";
export { diffBuilds } from "./build/diff-builds.ts";
export { CURRENT_BUILD, linkCurrentBuild } from "./build/link-current-build.ts";
export { loadBuild } from "./build/load-build.ts";
export { writeBuild } from "./build/write-build.ts";
export { explainFault } from "./conformance/explain-fault.ts";
export { checkProvider, type ConformanceSample } from "./conformance/check-provider.ts";
export type { ConformanceReport } from "./conformance/conformance-report.ts";
export { toMissingValue } from "./conformance/missing-value.ts";
export { toUrlBinding } from "./conformance/url-binding.ts";
export { planTurn } from "./kernel/plan-turn.ts";
export type { TurnRequest } from "./kernel/turn-plan.ts";
export type { TurnResult } from "./kernel/turn-result.ts";
export { createKeyRing } from "./keys/key-ring.ts";
export { createKeyset, parseKeyset, renderKeyset, type Keyset, type KeyState } from "./keys/keyset.ts";
export { destroyKey, rotateKeyset } from "./keys/rotate-keyset.ts";
export { renderFinding, type Finding } from "./project/document/finding.ts";
export {
  hasProjectFile,
  inspectProjectDirectory,
  loadContextProject,
  type InspectedDirectory,
} from "./project/load-context-project.ts";
export { scaffoldProject } from "./project/scaffold-project.ts";
export type { ProviderClock } from "./providers/provider-clock.ts";
export { renderJsonSchema, SCHEMA_NAMES, toJsonSchema } from "./schemas/json-schema.ts";
export { reproduceTurn } from "./reproduction/reproduce-turn.ts";
export type { Difference, Reproduction } from "./reproduction/reproduction.ts";
export { createContextApi, type ContextApiParts, type RequestLog } from "./server/context-api.ts";
export { readJsonBody } from "./server/read-body.ts";
export { LiveDeployment } from "./server/live-deployment.ts";
export { Readiness, type ProviderReadiness } from "./server/readiness.ts";
export { startServer, type RunningServer } from "./server/start-server.ts";
export type { PurgeFilter } from "./trace/content-rows.ts";
export { readExportInterval, startMetricExporter, type MetricExporter } from "./telemetry/metric-exporter.ts";
export { readOtlpSettings } from "./telemetry/otlp-settings.ts";
export { ServerMetrics } from "./telemetry/server-metrics.ts";
export { createSpanExporter, type SpanExporter } from "./telemetry/span-exporter.ts";
export { parseTraceParent } from "./telemetry/trace-parent.ts";
export type { ContextTrace } from "./trace/context-trace.ts";
export { findTraceFaults } from "./trace/find-trace-faults.ts";
export { saveRecoveredTraces } from "./trace/save-recovered-traces.ts";
export { listRequestDigests } from "./trace/request-digests.ts";
export { toTracePagePacket } from "./trace/trace-page-packet.ts";
export type { PruneReport } from "./trace/trace-removal.ts";
export { parseTraceQuery } from "./trace/trace-query.ts";
export type { TracePage } from "./trace/trace-search.ts";
export { TRACE_MIGRATIONS } from "./trace/trace-schema.ts";
export { createTraceStore, openTraceStore, TraceStore } from "./trace/trace-store.ts";
export type { ChainReport } from "./trace/verify-traces.ts";
export { openDeployment, type Deployment } from "./turn/deployment.ts";
export { parseTurnRequest } from "./turn/parse-turn-request.ts";
export { readLayer, type ReadLayer } from "./turn/read-layer.ts";
export { runTurn, type TurnAnswer } from "./turn/run-turn.ts";
export { toTurnPacket } from "./turn/turn-packet.ts";
