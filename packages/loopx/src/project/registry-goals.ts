import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Ambient } from "@loopx/contracts";
import { listRegisteredGoals, type RegisteredGoal } from "@loopx/control-plane";
import type { Database } from "@loopx/store";
import type { Globals } from "../command-table/global-flags.ts";
import { HOME_STORE } from "./home-location.ts";
import { openHomeToRead } from "./open-home.ts";
import { readRegistryFile } from "./registry-file.ts";

/** The registry that the caller names, by flag or environment. */
export function findNamedRegistry(globals: Pick<Globals, "registry">, ambient: Ambient): string | undefined {
  const named = globals.registry ?? ambient.env["LOOPX_REGISTRY"];
  return named === "" ? undefined : named;
}

/**
 * The goals that a registry file knows, with their roots. The database beside it is preferred, so a stale file is
 * harmless.
 *
 * Refuses with `foreign_registry`, `file_not_readable`.
 */
export async function listRegistryGoals(path: string, ambient: Ambient): Promise<readonly RegisteredGoal[]> {
  const directory = realDirectoryOf(path);
  if (existsSync(join(directory, HOME_STORE))) {
    return (await readHome(directory, ambient, (home) => home.read(listRegisteredGoals))) ?? [];
  }
  return readRegistryFile(path);
}

/** What `work` reads in the home of a folder; undefined where there is none. */
export async function readHome<Result>(
  directory: string,
  ambient: Ambient,
  work: (home: Database) => Promise<Result>,
): Promise<Result | undefined> {
  const home = await openHomeToRead(directory, ambient);
  if (home === undefined) return undefined;
  try {
    return await work(home);
  } finally {
    await home.close();
  }
}

function realDirectoryOf(path: string): string {
  try {
    return dirname(realpathSync(path));
  } catch {
    return dirname(path);
  }
}
