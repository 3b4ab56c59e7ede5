import type { Reproduction } from "@loopx/runtime-context";

type Unavailable = Extract<Reproduction, { readonly reason: unknown }>;

/** What `context reproduce` answers. The text itself only where somebody asked for it. */
export function toReproductionPacket(traceId: string, reproduction: Reproduction, hasText: boolean): object {
  const { verdict } = reproduction;
  const head = {
    ok: verdict === "EXACT",
    schema_version: "loopx_context_reproduction_v1",
    trace_id: traceId,
    result: verdict,
  };
  if (verdict === "LIVE_DEPENDENCY_UNAVAILABLE") {
    const { reason, provider } = reproduction;
    return { ...head, reason, ...(provider === null ? {} : { provider }) };
  }
  const { trace, result } = reproduction;
  return {
    ...head,
    outcome: result.outcome,
    build: trace.buildDigest,
    rendered_digest: trace.renderedDigest,
    ...(verdict === "DIVERGED" ? { differences: reproduction.differences } : {}),
    ...(hasText ? { rendered: result.rendered } : {}),
  };
}

/** Why a turn can't be had exactly as it was, in a sentence that a person can act on. */
export function explainUnavailable(reason: Unavailable["reason"]): string {
  return EXPLAINED[reason];
}

const EXPLAINED: Readonly<Record<Unavailable["reason"], string>> = {
  trace_altered: "the trace is not as it was written",
  key_destroyed: "its key was destroyed: what was made with it can't be checked or read again",
  key_unknown: "the binding's keyset doesn't have its key",
  build_missing: "--builds has no whole build of the digest in the trace",
  binding_missing: "--binding is not the one that the turn was carried out with",
  content_not_retained: "what the provider answered was not kept; the binding's retention says so",
  content_purged: "what the provider answered was kept and is gone: its time was over, or somebody removed it",
  content_missing: "the trace says that content was kept, and the store has none",
  digest_mismatch: "what was kept is not what the provider answered",
};
