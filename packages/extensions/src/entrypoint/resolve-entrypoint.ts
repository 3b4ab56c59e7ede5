import { resolve } from "node:path";
import { findProgram } from "@loopx/store";

/**
 * The absolute path of the program that a manifest names: a path, relative ones from the manifest's folder, or a name that
 * is looked up on PATH. Undefined where no program of this name is there.
 */
export function resolveEntrypoint(
  entrypoint: string,
  { folder, searchPath }: { readonly folder: string; readonly searchPath: string | undefined },
): string | undefined {
  if (entrypoint.includes("/") || entrypoint.includes("\\")) return resolve(folder, entrypoint);
  return findProgram(entrypoint, searchPath);
}
