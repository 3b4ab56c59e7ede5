import type { Instant } from "@loopx/contracts";
import type { KeyRing } from "../keys/key-ring.ts";
import { unsealContent, type SealFault } from "../keys/sealed-content.ts";
import { toLookupKey } from "../kernel/lookup-key.ts";
import type { TurnPlan } from "../kernel/turn-plan.ts";
import type { ProviderItem, ProviderOutcome } from "../providers/provider-outcome.ts";
import type { StoredContent } from "../trace/content-rows.ts";
import type { ContextTrace, ProviderProvenance } from "../trace/context-trace.ts";
import { parseMaterialText } from "../trace/material-text.ts";
import { toContentContext } from "../trace/retain-content.ts";
import type { LiveDependencyReason } from "./reproduction.ts";

export interface RecallSources {
  readonly trace: ContextTrace;
  readonly plan: TurnPlan;
  readonly contents: readonly StoredContent[];
  readonly ring: KeyRing;
  readonly now: Instant;
}

/** What the providers of a recorded turn answered, or whose answer can't be had, and why. */
export type RecalledOutcomes =
  | { readonly outcomes: ReadonlyMap<string, ProviderOutcome> }
  | { readonly reason: LiveDependencyReason; readonly provider: string };

/** A failure, and an answer without items, is in the trace; items come from what was kept, and their digest is checked. */
export function recallOutcomes(sources: RecallSources): RecalledOutcomes {
  const { trace, plan } = sources;
  const provenance = new Map(trace.providers.map((from) => [from.provider, from]));
  const outcomes = new Map<string, ProviderOutcome>();
  for (const { provider, value } of plan.lookups) {
    const from = provenance.get(provider);
    // The plan asks somebody whom the recorded one didn't: it isn't the trace of this build.
    if (from === undefined) return { reason: "trace_altered", provider };
    const items = from.itemLocators.length === 0 ? [] : recallItems(from, sources);
    if (typeof items === "string") return { reason: items, provider };
    outcomes.set(toLookupKey(provider, value), toOutcome(from, items));
  }
  return { outcomes };
}

function recallItems(
  { provider, contentRetained, materialDigest }: ProviderProvenance,
  { trace, contents, ring, now }: RecallSources,
): readonly ProviderItem[] | LiveDependencyReason {
  if (!contentRetained || materialDigest === null) return "content_not_retained";
  const content = contents.find((kept) => kept.provider === provider);
  if (content === undefined) return "content_missing";
  const { sealed, keyId, expiresAt } = content;
  if (sealed === null || expiresAt <= now) return "content_purged";
  const opened = unsealContent(
    ring,
    { keyId, text: sealed },
    toContentContext({ traceId: trace.id, provider, materialDigest }),
  );
  if (typeof opened === "string") return toReason(opened);
  const verdict = ring.verify("context.provider.v1/material", opened.text, materialDigest);
  return verdict === "match" ? parseMaterialText(opened.text) : "digest_mismatch";
}

function toReason(fault: SealFault): LiveDependencyReason {
  return fault === "altered" ? "digest_mismatch" : fault;
}

/** What a turn decides by is all in it; the rest stands as the trace has it. */
function toOutcome(from: ProviderProvenance, items: readonly ProviderItem[]): ProviderOutcome {
  return {
    status: from.status,
    reason: from.reason,
    items,
    currentness: from.currentness ?? "UNKNOWN",
    revision: from.revision,
    version: from.version,
    versionSource: from.versionSource,
    providerType: from.providerType,
    observedAt: from.observedAt ?? "",
    durationMs: from.durationMs,
    attempts: from.attempts,
    ...(from.pointer == null ? {} : { finding: { pointer: from.pointer, rule: null } }),
  };
}
