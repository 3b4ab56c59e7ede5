/** Milliseconds since this process began. `performance` would have to be loaded for it. */
export function sinceStartMs(): number {
  return process.uptime() * 1000;
}
