import type { Ambient } from "@loopx/contracts";
import type { ContextBuild, FactSource } from "@loopx/runtime-context/offline";
import { openDeployment } from "@loopx/runtime-context";
import { loadBinding } from "../binding-place.ts";
import { createProviderClock, SQLITE_CHILD, TURN_DEADLINE_MS } from "../runtime-parts.ts";

/** The real providers of several builds under one binding; `close` ends their connections. */
export interface LiveSources {
  readonly sources: readonly FactSource[];
  readonly close: () => Promise<void>;
}

/** Refuses as `openDeployment` does, and with `binding_invalid`, `file_not_readable`. */
export async function openLiveSources(
  builds: readonly ContextBuild[],
  written: string,
  ambient: Ambient,
): Promise<LiveSources> {
  const binding = await loadBinding(written, ambient);
  // One moment for all of them: the times in their texts must not differ, and no fact be current for one alone.
  const at = ambient.now();
  const clock = { ...createProviderClock(ambient), now: () => at };
  const parts = { env: ambient.env, clock, sqliteChild: SQLITE_CHILD };
  const deployments = builds.map((build) => openDeployment(build, binding, parts));
  return {
    sources: deployments.map(({ clients }) => ({ clients, clock, turnDeadlineMs: TURN_DEADLINE_MS })),
    close: async () => {
      await Promise.all(deployments.map((deployment) => deployment.close()));
    },
  };
}
