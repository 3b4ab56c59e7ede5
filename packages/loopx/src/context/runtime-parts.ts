import { join } from "node:path";
import type { Ambient } from "@loopx/contracts";
import type { ProviderClock } from "@loopx/runtime-context";

/** Bound on all lookups of one turn together: the most that one provider may take. */
export const TURN_DEADLINE_MS = 10_000;

/** The program that reads a provider's SQLite file; the bundler puts it beside this module's chunk. */
export const SQLITE_CHILD = join(import.meta.dirname, "sqlite-child.cjs");

/** docs/guides/context.md of this version; the bundler puts it there, too. */
export const CONTEXT_GUIDE = join(import.meta.dirname, "context-guide.md");

/** The clock of this process, as the runtime takes it. */
export function createProviderClock(ambient: Ambient): ProviderClock {
  return { now: () => ambient.now(), monotonicMs: () => performance.now() };
}
