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

export function toInstant(epochMs: number): Instant {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a brand has to be given somewhere
  return new Date(epochMs).toISOString() as Instant;
}

/** Milliseconds since the epoch. */
export function toEpochMs(instant: Instant): number {
  return Date.parse(instant);
}

export function addMs(instant: Instant, durationMs: number): Instant {
  return toInstant(toEpochMs(instant) + durationMs);
}
