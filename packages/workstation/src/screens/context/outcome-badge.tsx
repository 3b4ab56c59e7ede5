import type { ReactNode } from "react";
import type { ContextOutcome } from "../../contract/context.ts";
import { Badge, type Tone } from "../../components/badge.tsx";

const TONES: Readonly<Record<ContextOutcome, Tone>> = { READY: "good", DEGRADED: "warn", BLOCKED: "bad" };

/** How a turn came out. */
export function OutcomeBadge({ outcome }: { readonly outcome: ContextOutcome }): ReactNode {
  return <Badge tone={TONES[outcome]}>{outcome}</Badge>;
}

const STATE_TONES: Readonly<Record<string, Tone>> = {
  AVAILABLE: "good",
  EMPTY: "neutral",
  NOT_REQUESTED: "neutral",
  STALE: "warn",
  UNKNOWN: "warn",
  UNAVAILABLE: "bad",
};

/** What became of a layer. */
export function StateBadge({ state }: { readonly state: string }): ReactNode {
  return <Badge tone={STATE_TONES[state] ?? "neutral"}>{state}</Badge>;
}

/** How a provider answered. */
export function StatusBadge({ status }: { readonly status: string }): ReactNode {
  const tone = status === "OK" ? "good" : status === "NOT_FOUND" || status === "NOT_EVALUATED" ? "neutral" : "bad";
  return <Badge tone={tone}>{status}</Badge>;
}
