import { lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { findFileErrorCode, toFileError } from "./file-errors.ts";
import { assertInsideRoot, STORE_DIRECTORY } from "./store-place.ts";
import { writeFileAtomically } from "./write-file-atomically.ts";

/**
 * Makes sure that a project root has its `.loopx` directory (mode 0700) with a `.gitignore` that keeps it out of git; returns
 * the directory's path.
 *
 * Idempotent, and an existing `.gitignore` is the user's. Refuses a `.loopx` that is a file or leads out of the root with
 * `store_failed`; where it cannot be made, `file_not_writable` or `store_full`.
 */
export async function prepareStoreDirectory(root: string): Promise<string> {
  const directory = join(root, STORE_DIRECTORY);
  makeDirectory(directory);
  assertInsideRoot(directory, root);
  const ignoreFile = join(directory, ".gitignore");
  if (!lstatSync(ignoreFile, { throwIfNoEntry: false })) {
    await writeFileAtomically(ignoreFile, "*\n", { mode: 0o600, label: `${STORE_DIRECTORY}/.gitignore` });
  }
  return directory;
}

function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (findFileErrorCode(error) !== "EEXIST") throw toFileError(error, STORE_DIRECTORY);
  }
}
