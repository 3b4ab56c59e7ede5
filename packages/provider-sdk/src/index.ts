// The front door of loopx-provider-sdk: named exports only.
export { type AdvisoryProvider, defineAdvisoryProvider } from "./advisory/define-advisory-provider.ts";
export { EARLIER_RECALL_MARKS, isEarlierRecall } from "./advisory/is-earlier-recall.ts";
export type { AdvisoryProviderDefinition, DoctorContext, RetrieveContext } from "./advisory/provider-definition.ts";
export type { RetrieveRequest } from "./advisory/retrieve-request.ts";
export {
  MAX_CONTENT_CODE_POINTS,
  type RetrieveAnswer,
  type RetrievedItem,
  type RetrieveResponse,
  type Unavailable,
  unavailable,
} from "./advisory/retrieve-response.ts";
export { checkBearer } from "./context/check-bearer.ts";
export type { ContextItem, ContextRecords } from "./context/context-item.ts";
export type { ContextLookup } from "./context/context-request.ts";
export {
  type ContextDescription,
  type ContextProviderDefinition,
  defineContextProvider,
  type LookupContext,
} from "./context/define-context-provider.ts";
export { toNodeListener } from "./context/to-node-listener.ts";
export { type CutText, cutText } from "./text/cut-text.ts";
