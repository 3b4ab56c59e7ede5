const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

const WORDS = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });

/** A moment as seen from another, both in milliseconds: `5 min. ago`, `in 2 days`, `now`. */
export function sayTimeFrom(atMs: number, nowMs: number): string {
  const distanceMs = atMs - nowMs;
  for (const [unit, unitMs] of UNITS) {
    const count = Math.trunc(distanceMs / unitMs);
    if (count !== 0) return WORDS.format(count, unit);
  }
  return "now";
}
