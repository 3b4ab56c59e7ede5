import { lstatSync, realpathSync, statSync, type Stats } from "node:fs";
import { join, sep } from "node:path";
import { LoopxError } from "@loopx/contracts";

/** The folder of a project that holds its store. */
export const STORE_DIRECTORY = ".loopx";

/**
 * Checks that a project's store lies in the project: a clone may bring links to the store of another one.
 *
 * `.loopx` must not lead out of the root, and the file in it must not be a link. What is missing passes.
 * Refuses with `store_failed`.
 */
export function assertStorePlace(root: string, fileName: string): void {
  const directory = join(root, STORE_DIRECTORY);
  const found = look(directory);
  if (found === undefined) return;
  if (!found.isDirectory()) assertInsideRoot(directory, root);
  if (look(join(directory, fileName))?.isSymbolicLink() === true) {
    throw toUnusableError(`${STORE_DIRECTORY}/${fileName} is a link, and a store is never reached through one`);
  }
}

/** Checks that `.loopx` is a directory within the root, also where it is a link. Refuses with `store_failed`. */
export function assertInsideRoot(directory: string, root: string): void {
  if (!isDirectory(directory)) throw toUnusableError(`${STORE_DIRECTORY} is not a directory`);
  if (!realpathSync(directory).startsWith(withSeparator(realpathSync(root)))) {
    throw toUnusableError(`${STORE_DIRECTORY} leads out of the project root`);
  }
}

/** Undefined also where it cannot be looked at: the opening says why. */
function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** False also for links that lead in a circle. */
function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function withSeparator(path: string): string {
  return path.endsWith(sep) ? path : path + sep;
}

function toUnusableError(message: string): LoopxError {
  return new LoopxError("store_failed", { message, hint: `move ${STORE_DIRECTORY} away, then run the command again` });
}
