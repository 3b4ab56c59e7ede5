/** A moment in UTC as `YYYY-MM-DDTHH:mm:ss.sssZ`: fixed width, so text order is time order. */
export type Instant = string & { readonly __brand: "Instant" };

/** Everything a command takes from the outside world. Tests pass their own; no module reads the globals. */
export interface Ambient {
  now(): Instant;
  /** `prefix_` and random characters `[a-z0-9]`: unique across projects, never reused. */
  newId(prefix: string): string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

let lastEpochMs = Number.NaN;
let lastInstant: Instant | undefined;

/** 31 December 9999: a later year is wider. */
const LAST_EPOCH_MS = 253_402_300_799_999;

/**
 * The moment of these milliseconds since the epoch. What lies before 1970 or after 9999 is the first or the last moment
 * there is: a clock that is set wrong must not write what nobody can read back.
 */
export function toInstant(epochMs: number): Instant {
  // The last one is kept: a server asks for the time several times a millisecond.
  if (epochMs === lastEpochMs && lastInstant !== undefined) return lastInstant;
  const told = new Date(Math.min(Math.max(epochMs, 0), LAST_EPOCH_MS));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a brand has to be given somewhere
  lastInstant = told.toISOString() as Instant;
  lastEpochMs = epochMs;
  return lastInstant;
}

/** Milliseconds since the epoch. */
export function toEpochMs(instant: Instant): number {
  return Date.parse(instant);
}

export function addMs(instant: Instant, durationMs: number): Instant {
  return toInstant(toEpochMs(instant) + durationMs);
}
