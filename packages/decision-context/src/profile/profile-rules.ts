import {
  aBoolean,
  anInteger,
  aNumber,
  anObject,
  listOf,
  oneOf,
  optional,
  orNull,
  readDocument,
  report,
  setOf,
  type ReadDocument,
  type Rule,
} from "../documents/field-rule.ts";
import { aToken, privateText, publicText } from "../documents/public-text.ts";
import {
  MAX_RESULTS,
  NAMESPACE_MAX,
  PROFILE_SCHEMA,
  SCOPE_MAX,
  TIMEOUT_MAX_S,
  TIMEOUT_MIN_S,
  type ContextProviderSettings,
  type Profile,
  type ProfileSource,
  type SourceProviderBinding,
} from "./profile.ts";

const YEAR_S = 31_536_000;
const LOCATOR_MAX = 4096;
const BINDINGS_MAX = 16;
const SOURCES_MAX = 64;
const AGENTS_MAX = 256;
const OBJECTIVES_MAX = 64;

/** An adapter's settings: it checks them itself. */
const aConfig: Rule<Readonly<Record<string, unknown>>> = (value, place) =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? { ...value }
    : report(place, "must be an object");

const aNamespace: Rule<string> = (value, place) => {
  const text = publicText(NAMESPACE_MAX)(value, place);
  return text === undefined ? undefined : aToken(text, place);
};

const aSource: Rule<ProfileSource> = anObject({
  source_id: aToken,
  provider_id: aToken,
  source_kind: oneOf("artifact", "conversation", "document", "external_signal", "person", "repository"),
  priority: oneOf("p0", "p1", "p2"),
  evidence_level: oneOf("s0", "s1", "s2", "s3", "s4"),
  objectives: setOf(aToken, { min: 1, max: OBJECTIVES_MAX }),
  scan_mode: oneOf("incremental", "snapshot", "on_demand"),
  exact_read_policy: oneOf("always", "material_change", "never"),
  freshness_seconds: anInteger(1, YEAR_S),
  private_locator: privateText(LOCATOR_MAX),
  max_changes: optional(anInteger(1, 100), 20),
  enabled: optional(aBoolean, true),
});

const aBinding: Rule<SourceProviderBinding> = anObject({
  provider_id: aToken,
  adapter: aToken,
  config: optional(aConfig, {}),
});

const aContextProvider: Rule<ContextProviderSettings> = anObject({
  provider: aToken,
  namespace: aNamespace,
  scope_ref: optional(orNull(privateText(SCOPE_MAX)), null),
  max_results: optional(anInteger(1, MAX_RESULTS), 4),
  timeout_seconds: optional(aNumber(TIMEOUT_MIN_S, TIMEOUT_MAX_S), 10),
  config: optional(anObject({ extension_id: optional(orNull(aToken), null) }), { extension_id: null }),
});

const aProfileShape: Rule<Profile> = anObject({
  schema_version: oneOf(PROFILE_SCHEMA),
  goal_id: aToken,
  enabled: aBoolean,
  enabled_agents: setOf(aToken, { max: AGENTS_MAX }),
  source_provider_bindings: listOf(aBinding, { max: BINDINGS_MAX, uniqueBy: "provider_id" }),
  sources: listOf(aSource, { max: SOURCES_MAX, uniqueBy: "source_id" }),
  context_provider: orNull(aContextProvider),
  automation: anObject({ automatic_capture: oneOf(false), fail_open: oneOf(true) }),
});

const aProfile: Rule<Profile> = (value, place) => {
  const profile = aProfileShape(value, place);
  if (profile === undefined || place.problems.length > 0) return undefined;
  const bound = new Set(profile.source_provider_bindings.map(({ provider_id }) => provider_id));
  for (const [index, { provider_id }] of profile.sources.entries()) {
    if (bound.has(provider_id)) continue;
    const pointer = `${place.pointer}/sources/${index}/provider_id`;
    report({ ...place, pointer }, "names no entry of source_provider_bindings");
  }
  if (!profile.enabled) return profile;
  if (profile.enabled_agents.length === 0) {
    report({ ...place, pointer: "/enabled_agents" }, "needs at least one agent when enabled is true");
  }
  if (profile.sources.length === 0 && profile.context_provider === null) {
    report({ ...place, pointer: "/sources" }, "needs a source, or a context_provider, when enabled is true");
  }
  return profile;
};

/** The profile in a parsed document, or all that is wrong with it. */
export function readProfile(document: unknown): ReadDocument<Profile> {
  return readDocument(aProfile, document);
}
