import { toEpochMs, type Instant } from "@loopx/contracts";
import type { Currentness } from "../../project/context-project.ts";
import type { ProviderItem } from "../provider-outcome.ts";

/** RFC 3339 full-date, or date-time with an offset. */
const UPDATED_AT =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](?:[01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/;

const FUTURE_TOLERANCE_MS = 24 * 3_600_000;

/** Milliseconds since the epoch; of a date alone, its first moment in UTC. Undefined for anything but RFC 3339. */
export function parseUpdatedAt(text: string): number | undefined {
  const match = UPDATED_AT.exec(text);
  if (match === null || !isCalendarDate(match[1] ?? "")) return undefined;
  if (match[2] === undefined) return Date.parse(`${match[1]}T00:00:00Z`);
  // A leap second is RFC 3339 and unknown to Date.
  const isLeapSecond = match[2] === "60";
  const readable = text
    .toUpperCase()
    .replace(" ", "T")
    .replace(/:60(?=[.Z+-])/, ":59");
  const epochMs = Date.parse(readable);
  return Number.isNaN(epochMs) ? undefined : epochMs + (isLeapSecond ? 1000 : 0);
}

/** `Date.parse` takes 30 February for 1 March. */
function isCalendarDate(date: string): boolean {
  const epochMs = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(epochMs) && new Date(epochMs).toISOString().startsWith(date);
}

/**
 * How current an answer is: as stated, unless what `updatedAt` shows says otherwise.
 *
 * A time over 24 hours ahead proves nothing: UNKNOWN. Under an age limit CURRENT becomes STALE where an item is older,
 * and UNKNOWN where an item's age is not shown.
 */
export function judgeCurrentness(
  stated: Currentness,
  items: readonly ProviderItem[],
  rule: { readonly maxAgeSeconds: number | null; readonly now: Instant },
): Currentness {
  const nowMs = toEpochMs(rule.now);
  const times = items.map(({ updatedAt }) => (updatedAt === null ? undefined : parseUpdatedAt(updatedAt)));
  if (times.some((time) => time !== undefined && time > nowMs + FUTURE_TOLERANCE_MS)) return "UNKNOWN";
  if (stated !== "CURRENT" || rule.maxAgeSeconds === null) return stated;
  const oldestAllowedMs = nowMs - rule.maxAgeSeconds * 1000;
  if (times.some((time) => time !== undefined && time < oldestAllowedMs)) return "STALE";
  return times.includes(undefined) ? "UNKNOWN" : "CURRENT";
}
