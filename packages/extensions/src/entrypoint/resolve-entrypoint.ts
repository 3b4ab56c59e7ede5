import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/**
 * The absolute path of the program that a manifest names: a path, relative ones from the manifest's folder, or a name that
 * is looked up on PATH. Undefined where no program of this name is there.
 */
export function resolveEntrypoint(
  entrypoint: string,
  { folder, searchPath }: { readonly folder: string; readonly searchPath: string | undefined },
): string | undefined {
  if (entrypoint.includes("/") || entrypoint.includes("\\")) return resolve(folder, entrypoint);
  const folders = (searchPath ?? "").split(delimiter).filter((each) => isAbsolute(each));
  return folders.map((each) => join(each, entrypoint)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
