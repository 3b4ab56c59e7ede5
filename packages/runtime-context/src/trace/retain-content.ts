import { addMs, toCanonicalJson, type Instant } from "@loopx/contracts";
import { findProviderBinding } from "../binding/deployment-binding.ts";
import { sealContent } from "../keys/sealed-content.ts";
import { toLookupKey } from "../kernel/lookup-key.ts";
import type { ProviderProvenance } from "./context-trace.ts";
import { listMaterialParts } from "./material-text.ts";
import type { ProvenanceSources } from "./trace-provenance.ts";

/** The items of one provider's answer, encrypted, to be stored with the trace of the turn. */
export interface RetainedContent {
  readonly provider: string;
  readonly deployment: string;
  readonly keyId: string;
  readonly sealed: string;
  readonly expiresAt: Instant;
  /** Of all contents of this provider together, as stored. */
  readonly quotaBytes: number;
}

/** The provenance of a turn, saying what is kept, and what is to be stored for it. */
export interface RetainedAnswers {
  readonly providers: readonly ProviderProvenance[];
  readonly contents: readonly RetainedContent[];
}

/**
 * Encrypts the answers that the binding lets keep. What alone is over its provider's quota isn't kept.
 *
 * An answer without items holds nothing to keep, and neither does a failure: the trace says all of it.
 */
export function retainAnswers(
  provenance: readonly ProviderProvenance[],
  { plan, results, binding, ring }: ProvenanceSources,
  { id, at }: { readonly id: string; readonly at: Instant },
): RetainedAnswers {
  if (!provenance.some(({ retention }) => retention === "content")) return { providers: provenance, contents: [] };
  const values = new Map(plan.lookups.map(({ provider, value }) => [provider, value]));
  const contents: RetainedContent[] = [];
  const providers = provenance.map((from) => {
    const { provider, materialDigest } = from;
    const rule = findProviderBinding(provider, binding);
    const items = results.get(toLookupKey(provider, values.get(provider) ?? ""))?.items ?? [];
    if (rule?.retention !== "content" || items.length === 0 || materialDigest === null) return from;
    const { retainSeconds = 0, retainBytes = 0 } = rule;
    const context = toContentContext({ traceId: id, provider, materialDigest });
    const { keyId, text } = sealContent(ring, listMaterialParts(items), context);
    if (text.length > retainBytes) return from;
    const expiresAt = addMs(at, retainSeconds * 1000);
    contents.push({ provider, deployment: ring.deployment, keyId, sealed: text, expiresAt, quotaBytes: retainBytes });
    return { ...from, contentRetained: true };
  });
  return { providers, contents };
}

/** What a content is sealed as: it opens for its own trace, provider and digest alone. */
export function toContentContext(place: {
  readonly traceId: string;
  readonly provider: string;
  readonly materialDigest: string;
}): string {
  return toCanonicalJson(["context.retained.v1", place.traceId, place.provider, place.materialDigest]);
}
