import { lstatSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { LoopxError } from "@loopx/contracts";
import { findFileErrorCode, toFileError } from "./file-errors.ts";
import { writeFileAtomically } from "./write-file-atomically.ts";

const DIRECTORY_NAME = ".loopx";

/**
 * Makes sure that a project root has its `.loopx` directory (mode 0700) with a `.gitignore` that keeps it out of git; returns
 * the directory's path.
 *
 * Idempotent, and an existing `.gitignore` is the user's. Refuses a `.loopx` that is a file or leads out of the root with
 * `store_failed`; where it cannot be made, `file_not_writable` or `store_full`.
 */
export async function prepareStoreDirectory(root: string): Promise<string> {
  const directory = join(root, DIRECTORY_NAME);
  makeDirectory(directory);
  assertInsideRoot(directory, root);
  const ignoreFile = join(directory, ".gitignore");
  if (!lstatSync(ignoreFile, { throwIfNoEntry: false })) {
    await writeFileAtomically(ignoreFile, "*\n", { mode: 0o600, label: `${DIRECTORY_NAME}/.gitignore` });
  }
  return directory;
}

function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    if (findFileErrorCode(error) !== "EEXIST") throw toFileError(error, DIRECTORY_NAME);
  }
}

function assertInsideRoot(directory: string, root: string): void {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw toUnusableError(`${DIRECTORY_NAME} is not a directory`);
  }
  if (!realpathSync(directory).startsWith(withSeparator(realpathSync(root)))) {
    throw toUnusableError(`${DIRECTORY_NAME} leads out of the project root`);
  }
}

function withSeparator(path: string): string {
  return path.endsWith(sep) ? path : path + sep;
}

function toUnusableError(message: string): LoopxError {
  return new LoopxError("store_failed", { message, hint: `move ${DIRECTORY_NAME} away, then run the command again` });
}
