// The front door of @loopx/runtime-context for what must not reach a network: named exports only. Nothing behind it
// imports a client, a server or a socket; a pin on the bundle holds that.
export type { ContextBuild } from "./build/context-build.ts";
export { createBuild } from "./build/create-build.ts";
export { CURRENT_BUILD } from "./build/link-current-build.ts";
export { loadBuild } from "./build/load-build.ts";
export type { TurnResult } from "./kernel/turn-result.ts";
export { toPreviewPacket } from "./preview/preview-packet.ts";
export { previewTurn, type Preview } from "./preview/preview-turn.ts";
export type { ContextProject } from "./project/context-project.ts";
export {
  hasProjectFile,
  loadContextProject,
  PROJECT_FILES,
  readProjectSource,
  type LoadedProject,
} from "./project/load-context-project.ts";
export { toShownChange, toShownChangeCounts } from "./regression/regression-packet.ts";
export { runRegression, type RegressionCase, type RegressionReport } from "./regression/run-regression.ts";
export type { TestChange } from "./regression/compare-test.ts";
export { acceptDigests, listAcceptable, type AcceptedDigest } from "./suite/accept-digests.ts";
export type { TestVerdict } from "./suite/judge-test.ts";
export type { FactSource } from "./suite/carry-out-turn.ts";
export { locateInProject } from "./suite/locate-in-project.ts";
export { renderJunit } from "./suite/render-junit.ts";
export { runSuite, selectTests, type OnProgress, type SuiteReport } from "./suite/run-suite.ts";
export { toShownCounts, toShownVerdict } from "./suite/suite-packet.ts";
export { parseTurnRequest } from "./turn/parse-turn-request.ts";
