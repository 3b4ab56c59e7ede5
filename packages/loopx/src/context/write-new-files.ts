import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { LoopxError } from "@loopx/contracts";
import { makeDirectories, toFileError, writeNewFile } from "@loopx/store";

/** What is said of a file that is in the way, by its name: where it is, and what to name instead. */
export interface InTheWay {
  readonly says: (fileName: string) => string;
  readonly hint: string;
}

/** Refuses with `file_not_writable` where one of these is there already. */
export function refuseExisting(paths: readonly string[], { says, hint }: InTheWay): void {
  const present = paths.find((path) => existsSync(path));
  if (present === undefined) return;
  throw new LoopxError("file_not_writable", {
    message: `${says(basename(present))} already; nothing was written`,
    hint,
  });
}

/** Somebody made it since it was looked for. */
function toTakenError(path: string): LoopxError {
  return new LoopxError("file_not_writable", {
    message: `${basename(path)} is there already; it was left as it is`,
    hint: "look at what made it, then run the command again",
  });
}

export interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** Writes files that aren't there, each whole, and their folders; those of mode 0600 in folders of their own. Errors as `toFileError`. */
export function writeNewFiles(
  files: readonly NewFile[],
  { mode, label }: { readonly mode: 0o600 | 0o666; readonly label: string },
): void {
  try {
    for (const { path, text } of files) {
      makeDirectories(dirname(path), mode === 0o600 ? 0o700 : 0o777);
      if (!writeNewFile(path, text, mode)) throw toTakenError(path);
    }
  } catch (error) {
    throw toFileError(error, label);
  }
}
