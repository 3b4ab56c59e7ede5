import type { ConformanceCheck } from "@loopx/contracts";

/** A provider held against context-provider.v1. */
export interface ConformanceReport {
  readonly isConformant: boolean;
  readonly checks: readonly ConformanceCheck[];
  readonly version: string | null;
  /** Of the lookups that were answered. */
  readonly latency: { readonly count: number; readonly medianMs: number; readonly slowestMs: number } | null;
}

export function pass(name: string, found: string): ConformanceCheck {
  return { name, state: "passed", found };
}

export function fail(name: string, found: string, remedy: string): ConformanceCheck {
  return { name, state: "failed", found, remedy };
}

export function skip(name: string, found: string, remedy?: string): ConformanceCheck {
  return { name, state: "skipped", found, ...(remedy === undefined ? {} : { remedy }) };
}
