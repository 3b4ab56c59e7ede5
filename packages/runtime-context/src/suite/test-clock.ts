import { toInstant, type Instant } from "@loopx/contracts";
import type { ContextTest } from "../project/context-project.ts";
import { parseUpdatedAt } from "../providers/answer/updated-at.ts";
import type { ProviderClock } from "../providers/provider-clock.ts";

/** Of a test whose fixtures name no time. */
const NO_TIME = Date.UTC(2026, 0, 1);

/**
 * The moment at which a test's turn is carried out: its `clock`, or when the latest of its fixtures was updated. Never the
 * real time, so a test says today what it says in a year.
 */
export function findTestTime({ clock, providers }: ContextTest): Instant {
  if (clock !== null) return toInstant(Date.parse(clock));
  const times = Object.values(providers).flatMap((fixture) =>
    "items" in fixture ? fixture.items.map(toUpdatedMs) : [],
  );
  const latest = times.reduce((last, time) => (time > last ? time : last), Number.NEGATIVE_INFINITY);
  return toInstant(Number.isFinite(latest) ? latest : NO_TIME);
}

function toUpdatedMs(item: unknown): number {
  const updatedAt: unknown =
    typeof item === "object" && item !== null && "updatedAt" in item ? item.updatedAt : undefined;
  // A time without a zone is none: it would be another one on every machine.
  return (typeof updatedAt === "string" ? parseUpdatedAt(updatedAt) : undefined) ?? Number.NaN;
}

/** Stands still: nothing in a test may depend on how fast it runs. */
export function createStillClock(now: Instant): ProviderClock {
  return { now: () => now, monotonicMs: () => 0 };
}
