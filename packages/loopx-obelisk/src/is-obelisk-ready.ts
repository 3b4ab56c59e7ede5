import { type ObeliskWorld, runObelisk } from "./run-obelisk.ts";

const DEADLINE_MS = 10_000;

/** Whether Obelisk runs here and says its version. On a Node older than it needs it does neither. */
export async function isObeliskReady(world: ObeliskWorld): Promise<boolean> {
  const run = await runObelisk(world, ["--version"], AbortSignal.timeout(DEADLINE_MS));
  return run.kind === "ended" && run.exitCode === 0 && run.stdout.trim() !== "";
}
