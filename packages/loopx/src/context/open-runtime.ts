import type { Ambient } from "@loopx/contracts";
import { openDeployment, type Deployment } from "@loopx/runtime-context";
import { loadBinding } from "./binding-place.ts";
import { loadNamedBuild } from "./build-place.ts";
import { createProviderClock, SQLITE_CHILD } from "./runtime-parts.ts";

/** The two flags that name a deployment. */
export interface DeploymentFlags {
  readonly build: string;
  readonly binding: string;
}

/**
 * The deployment that `--build` and `--binding` name, both read and checked now.
 *
 * Refuses with `build_corrupt`, `binding_invalid`, `secret_unavailable`, `file_not_readable`.
 */
export async function openNamedDeployment(flags: DeploymentFlags, ambient: Ambient): Promise<Deployment> {
  const build = await loadNamedBuild("build", flags.build, ambient);
  const binding = await loadBinding(flags.binding, ambient);
  const clock = createProviderClock(ambient);
  return openDeployment(build, binding, { env: ambient.env, clock, sqliteChild: SQLITE_CHILD });
}
