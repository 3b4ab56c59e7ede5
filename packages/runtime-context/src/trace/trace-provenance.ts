import { toInstant, type Instant } from "@loopx/contracts";
import { findProviderBinding, type DeploymentBinding, type Retention } from "../binding/deployment-binding.ts";
import { toItemLocators } from "../keys/item-locators.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import { toLookupKey } from "../kernel/lookup-key.ts";
import type { PlannedLookup, TurnPlan } from "../kernel/turn-plan.ts";
import type { ProviderOutcome } from "../providers/provider-outcome.ts";
import { PROVENANCE_CONTRACT, type ProviderProvenance } from "./context-trace.ts";
import { toRequestText } from "./request-digests.ts";
import { joinItemParts, listItemParts } from "./material-text.ts";
import { isTraceable } from "./traceable-text.ts";

export interface ProvenanceSources {
  readonly plan: TurnPlan;
  readonly results: ReadonlyMap<string, ProviderOutcome>;
  readonly binding: DeploymentBinding | null;
  readonly ring: KeyRing;
}

/** One record for each provider that a layer in scope is bound to and whose input was given, asked or not. */
export function listProvenance(sources: ProvenanceSources): readonly ProviderProvenance[] {
  const secrets = sources.plan.lookups.length === 0 ? [] : listRequestTexts(sources);
  const asked = sources.plan.lookups.map((lookup) => toAskedProvenance(lookup, secrets, sources));
  const refused = new Map<string, ProviderProvenance>();
  for (const layer of sources.plan.layers) {
    if (layer.kind !== "invalid_request") continue;
    const { provider, input, fault } = layer;
    refused.set(provider, { ...toBlank(provider, input, sources.binding), status: "INVALID_REQUEST", reason: fault });
  }
  return [...asked, ...refused.values()];
}

function toAskedProvenance(
  lookup: PlannedLookup,
  secrets: readonly string[],
  { results, binding, ring }: ProvenanceSources,
): ProviderProvenance {
  const { provider, input, value } = lookup;
  const retention = findRetention(provider, binding);
  const limit = toWireLimit(lookup, binding);
  const requestDigest = ring.keyedDigest(
    "context.provider.v1/request",
    toRequestText({ provider, key: input, value, limit }),
  );
  const outcome = results.get(toLookupKey(provider, value));
  if (outcome === undefined) return { ...toBlank(provider, input, binding), requestDigest };
  const described = describeItems(outcome, provider, ring);
  const revision = toShownWord(outcome.revision, secrets);
  const version = toShownWord(outcome.version, secrets);
  return {
    ...toBlank(provider, input, binding),
    requestDigest,
    ...described,
    // What nothing is kept of has no digest that somebody with the key could compare contents with.
    ...(retention === "none" ? { itemFingerprints: [], materialDigest: null } : {}),
    status: outcome.status,
    reason: toReasonWord(outcome.reason, secrets),
    pointer: toShownPointer(outcome.finding?.pointer ?? null, secrets),
    providerType: outcome.providerType,
    version,
    versionSource: outcome.versionSource,
    observedAt: toMoment(outcome.observedAt),
    revision,
    durationMs: toWholeMs(outcome.durationMs),
    attempts: toWholeMs(outcome.attempts),
    withheld: [
      ...(revision === outcome.revision ? [] : (["revision"] as const)),
      ...(version === outcome.version ? [] : (["version"] as const)),
    ],
  };
}

function describeItems(
  { status, items, currentness }: ProviderOutcome,
  provider: string,
  ring: KeyRing,
): Pick<ProviderProvenance, "currentness" | "itemLocators" | "itemFingerprints" | "materialDigest"> {
  if (status !== "OK") return { currentness: null, itemLocators: [], itemFingerprints: [], materialDigest: null };
  const canonical = items.map(listItemParts);
  return {
    currentness,
    itemLocators: toItemLocators(
      ring,
      provider,
      items.map(({ id }) => id),
    ),
    itemFingerprints: canonical.map((parts) =>
      // A provider's id holds no line feed, and the item follows as it is: escaping it again would cost what the digest does.
      ring.keyedDigest("context.provider.v1/item-fingerprint", [`${provider}\n`, ...parts]),
    ),
    materialDigest: ring.keyedDigest("context.provider.v1/material", joinItemParts(canonical)),
  };
}

/** In canonical order, which its copies keep. */
function toBlank(provider: string, key: string, binding: DeploymentBinding | null): ProviderProvenance {
  return {
    attempts: 0,
    bindingDigest: binding?.digest ?? null,
    bindingRevision: binding?.revision ?? null,
    contentRetained: false,
    contract: "context-provider.v1",
    currentness: null,
    durationMs: 0,
    itemFingerprints: [],
    itemLocators: [],
    key,
    materialDigest: null,
    observedAt: null,
    pointer: null,
    provider,
    providerType: null,
    reason: null,
    requestDigest: null,
    retention: findRetention(provider, binding),
    revision: null,
    schema: PROVENANCE_CONTRACT,
    status: "NOT_EVALUATED",
    version: null,
    versionSource: null,
    withheld: [],
  };
}

/** Digests stand for a provider that no binding says anything of: a fixture. */
function findRetention(provider: string, binding: DeploymentBinding | null): Retention {
  return findProviderBinding(provider, binding)?.retention ?? "digest";
}

/** What of the request and the answers must not come back through a word that a provider chose. */
function listRequestTexts({ plan, results }: ProvenanceSources): readonly string[] {
  const texts = Object.values(plan.request.inputs);
  for (const { provider, value } of plan.lookups) {
    for (const { id, title, content, metadata } of results.get(toLookupKey(provider, value))?.items ?? []) {
      texts.push(id, title ?? "", content);
      for (const member of Object.values(metadata)) if (typeof member === "string") texts.push(member);
    }
  }
  return texts;
}

function toShownWord(word: string | null, secrets: readonly string[]): string | null {
  return word !== null && isTraceable(word, secrets) ? word : null;
}

/** A reason is a word of ours; whatever isn't one is not passed on. */
function toReasonWord(reason: string | null, secrets: readonly string[]): string | null {
  if (reason === null) return null;
  return /^[A-Z][A-Z0-9_]{1,63}$/.test(reason) && isTraceable(reason, secrets) ? reason : "UNNAMED";
}

/** Up to the first segment that could tell something of the request. */
function toShownPointer(pointer: string | null, secrets: readonly string[]): string | null {
  if (pointer === null || pointer === "") return pointer;
  const segments = pointer.slice(1).split("/");
  const hidden = segments.findIndex((segment) => !isTraceable(segment, secrets));
  return `/${(hidden === -1 ? segments : segments.slice(0, hidden)).join("/")}`;
}

/** The lower of what project and binding allow (seed 004: `limit` on the wire). */
function toWireLimit({ provider, limit }: PlannedLookup, binding: DeploymentBinding | null): number {
  return Math.min(limit, findProviderBinding(provider, binding)?.maxItems ?? limit);
}

function toMoment(observedAt: string): Instant | null {
  const epochMs = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(observedAt) ? Date.parse(observedAt) : Number.NaN;
  return Number.isNaN(epochMs) ? null : toInstant(epochMs);
}

/** Rounded: fractions of a millisecond are a fingerprint of what was looked up (facts D6). */
export function toWholeMs(durationMs: number): number {
  return Number.isFinite(durationMs) ? Math.max(0, Math.round(durationMs)) : 0;
}
