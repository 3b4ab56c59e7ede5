// The front door of @loopx/provider-sdk: named exports only.
export { type AdvisoryProvider, defineAdvisoryProvider } from "./advisory/define-advisory-provider.ts";
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
export { type CutText, cutText } from "./text/cut-text.ts";
