// The front door of @loopx/contracts: named exports only.
export { addMs, toEpochMs, toInstant, type Ambient, type Instant } from "./ambient.ts";
export { toCanonicalJson } from "./canonical-json.ts";
export type { ConformanceCheck } from "./conformance-check.ts";
export { cutText, type CutText } from "./cut-text.ts";
export {
  drawNonce,
  escapeMarkers,
  renderClosingMarker,
  renderDataNotice,
  renderOpeningMarker,
  type Fence,
} from "./data-fence.ts";
export { findClosest, renderDidYouMean } from "./did-you-mean.ts";
export { digestOf, sha256Hex, type Digest } from "./digest.ts";
export { formatDuration, parseDuration, parseInstant } from "./duration.ts";
export { ERROR_MEANINGS } from "./error-meanings.ts";
export { ERROR_TABLE, refuse, type ErrorCode, type ErrorParts, type Refusal } from "./errors.ts";
export { findSuggestions } from "./find-suggestions.ts";
export {
  parseAgentId,
  parseGoalId,
  parseProjectId,
  parseThreadId,
  parseTodoId,
  parseTurnId,
  toGoalIdFromName,
  type AgentId,
  type GoalId,
  type ProjectId,
  type ThreadId,
  type TodoId,
  type TurnId,
} from "./ids.ts";
export { LIMITS } from "./limits.ts";
export { fromRefusal, isLoopxError, LoopxError, toErrorPacket, type ErrorPacket, withHint } from "./loopx-error.ts";
export {
  containsCredential,
  describeContents,
  findSensitive,
  redact,
  redactDeep,
  type RedactedText,
  type SensitiveFinding,
  type SensitiveKind,
} from "./redaction.ts";
export { isPlainText, neutraliseText, type NeutralisedText } from "./neutralise-text.ts";
export { cutRedacted, redactTail } from "./redact-tail.ts";
export { parseShellWords, quoteForShell, renderShellCommand } from "./shell-words.ts";
export { parseStorableText, type StorableTextRules } from "./storable-text.ts";
export { parseStrictJson, type StrictJsonOptions } from "./strict-json.ts";
export { displayWidth, neutraliseForTerminal } from "./terminal-text.ts";
export { findUnpublic, toOneLine } from "./unpublic-text.ts";
export { toVisibleText } from "./visible-text.ts";
