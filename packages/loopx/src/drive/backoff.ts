const FIRST_MS = 1000;
const LONGEST_MS = 300_000;

/**
 * How long to wait after so many failed turns in a row: doubled each time up to five minutes, less up to half of it.
 *
 * `fraction`, from 0 to below 1, takes the part away, so that lanes that failed together don't come back together.
 */
export function toBackoffMs(failures: number, fraction: number): number {
  const whole = Math.min(FIRST_MS * 2 ** Math.max(0, failures - 1), LONGEST_MS);
  return Math.round(whole * (1 - fraction / 2));
}

/** A fraction from the random characters of an id, the only randomness a command takes from outside. */
export function toFraction(id: string): number {
  const characters = id.slice(-6);
  const value = Number.parseInt(characters, 36);
  return Number.isNaN(value) ? 0 : value / 36 ** characters.length;
}
