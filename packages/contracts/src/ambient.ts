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

/** The last one is kept: a server asks for the time several times a millisecond. */
export function toInstant(epochMs: number): Instant {
  if (epochMs === lastEpochMs && lastInstant !== undefined) return lastInstant;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a brand has to be given somewhere
  lastInstant = new Date(epochMs).toISOString() as Instant;
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
