import { toEpochMs, type Instant } from "@loopx/contracts";
import type { Currentness } from "../project/context-project.ts";
import type { ProviderItem, ProviderOutcome } from "../providers/provider-outcome.ts";

/** How far ahead of ours a provider's clock may be before its times mean nothing. */
const FUTURE_TOLERANCE_MS = 24 * 60 * 60 * 1000;

/** How current an answer is: as it says, and UNKNOWN when an item claims to be from over a day ahead or from no time at all. */
export function judgeCurrentness({ currentness, items }: ProviderOutcome, now: Instant): Currentness {
  if (items.every(({ updatedAt }) => updatedAt === null)) return currentness;
  const latest = toEpochMs(now) + FUTURE_TOLERANCE_MS;
  return items.every((item) => isPlausible(item, latest)) ? currentness : "UNKNOWN";
}

function isPlausible({ updatedAt }: ProviderItem, latest: number): boolean {
  return updatedAt === null || toUpdatedMs(updatedAt) <= latest;
}

/** NaN for what names no moment. Without a zone `Date.parse` would give each machine its own. */
function toUpdatedMs(updatedAt: string): number {
  if (/^\d{4}-\d{2}-\d{2}$/.test(updatedAt)) return Date.parse(`${updatedAt}T00:00:00Z`);
  return /(?:z|[+-]\d{2}:\d{2})$/i.test(updatedAt) ? Date.parse(updatedAt.toUpperCase()) : Number.NaN;
}
