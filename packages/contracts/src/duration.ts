import { type Instant, toInstant } from "./ambient.ts";
import { LoopxError } from "./loopx-error.ts";

const SECONDS_PER = { d: 86_400, h: 3600, m: 60, s: 1 } as const;

/** Ten years: beyond it a deadline is a typing mistake, and an `Instant` could leave its fixed width. */
const LONGEST_SECONDS = 3660 * SECONDS_PER.d;

/**
 * The milliseconds that `30s`, `5m`, `2h`, `1d` or a descending combination such as `1h30m` stands for.
 *
 * Refuses zero, signs, fractions, spaces and anything over ten years with `invalid_value`.
 */
export function parseDuration(text: unknown, field = "duration"): number {
  const match =
    typeof text === "string" && text !== ""
      ? /^(?:(\d{1,4})d)?(?:(\d{1,5})h)?(?:(\d{1,7})m)?(?:(\d{1,9})s)?$/.exec(text)
      : null;
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = match ?? [];
  const total =
    Number(days) * SECONDS_PER.d + Number(hours) * SECONDS_PER.h + Number(minutes) * SECONDS_PER.m + Number(seconds);
  if (total <= 0 || total > LONGEST_SECONDS) {
    throw new LoopxError("invalid_value", {
      message: `${field} is not a duration above zero and at most ten years`,
      hint: "write it like 30s, 5m, 2h, 1d or 1h30m",
      details: { field },
    });
  }
  return total * 1000;
}

/** Renders a duration in the form `parseDuration` takes. A part of a second counts as a whole one; below zero is `0s`. */
export function formatDuration(durationMs: number): string {
  let rest = Math.max(0, Math.ceil(durationMs / 1000));
  let rendered = "";
  for (const [unit, seconds] of Object.entries(SECONDS_PER)) {
    const count = Math.floor(rest / seconds);
    rest -= count * seconds;
    if (count > 0) rendered += `${count}${unit}`;
  }
  return rendered === "" ? "0s" : rendered;
}

const ISO_8601 = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d{2}):(\d{2}))$/i;

/** The widest offset in use is +14:00 (Line Islands). */
const WIDEST_OFFSET_MINUTES = 14 * 60;

/**
 * The moment an ISO-8601 date and time with a zone names, cut to milliseconds.
 *
 * A time without `Z` or an offset means different moments on different machines, so it is refused, like days that do not
 * exist (`2026-02-31`), hour 24, second 60 and years before 1970: `invalid_value`.
 */
export function parseInstant(text: unknown, field: string): Instant {
  const epochMs = typeof text === "string" ? toEpochMsOrNaN(ISO_8601.exec(text)) : Number.NaN;
  if (!(epochMs >= 0 && epochMs <= Date.UTC(9999, 11, 31, 23, 59, 59, 999))) {
    throw new LoopxError("invalid_value", {
      message: `${field} is not a date and time with a zone`,
      hint: "write it like 2026-12-01T09:30:00Z or 2026-12-01T09:30:00+02:00",
      details: { field },
    });
  }
  return toInstant(epochMs);
}

function toEpochMsOrNaN(match: RegExpExecArray | null): number {
  if (match === null) return Number.NaN;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const milliseconds = Number((match[7] ?? "").slice(0, 3).padEnd(3, "0"));
  const offsetMinutes = Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0);
  if (hour > 23 || minute > 59 || second > 59) return Number.NaN;
  if (Number(match[10] ?? 0) > 59 || offsetMinutes > WIDEST_OFFSET_MINUTES) return Number.NaN;
  const local = Date.UTC(year, month - 1, day, hour, minute, second, milliseconds);
  // `Date.UTC` rolls 31 February over into March; a date that rolled into another month does not exist.
  if (new Date(local).getUTCMonth() !== month - 1) return Number.NaN;
  const sign = match[8] === "-" ? -1 : 1;
  return local - sign * offsetMinutes * 60_000;
}
