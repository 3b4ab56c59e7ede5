import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/**
 * A path as it is stored with a goal: `./…` below the root, so that a copy of the project means its own files, else
 * absolute.
 */
export function toStoredPlace(path: string, root: string): string {
  const way = relative(root, toRealPath(path));
  const isBelow = !isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`);
  return isBelow ? `./${way}` : toRealPath(path);
}

/** The path that a stored place means; a binding's name is no place and stays as it is. */
export function fromStoredPlace(stored: string, root: string): string {
  return stored.startsWith("./") ? resolve(root, stored) : stored;
}

/** Of what isn't there yet, its folder counts. */
function toRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(toRealPath(parent), basename(path));
  }
}
