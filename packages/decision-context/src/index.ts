// The front door of @loopx/decision-context: named exports only.
export {
  decideActivation,
  type Activation,
  type LoadedProfile,
  type ResolvedActivation,
} from "./activation/activation.ts";
export type { Problem } from "./documents/field-rule.ts";
export { readProfile } from "./profile/profile-rules.ts";
export type { Profile } from "./profile/profile.ts";
export { sketchProfile } from "./profile/sketch-profile.ts";
export type { AdvisoryRuntime } from "./recall/advisory-extension.ts";
export { recallOnce, type EphemeralRecall } from "./recall/ephemeral-recall.ts";
export { parseAskedRecall } from "./recall/parse-question.ts";
export { renderRecalledItems } from "./recall/render-recall.ts";
export type { SourceAdapter } from "./sources/authority-source.ts";
export { LOCAL_FILE } from "./sources/local-file.ts";
export { toSourceManifest, type SourceManifest } from "./sources/source-manifest.ts";
