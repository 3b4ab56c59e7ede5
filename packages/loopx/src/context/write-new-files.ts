import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { LoopxError } from "@loopx/contracts";
import { makeDirectories, toFileError } from "@loopx/store";

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

export interface NewFile {
  readonly path: string;
  readonly text: string;
}

/** Writes files that aren't there, and their folders; those of mode 0600 in folders of their own. Errors as `toFileError`. */
export async function writeNewFiles(
  files: readonly NewFile[],
  { mode, label }: { readonly mode: 0o600 | 0o666; readonly label: string },
): Promise<void> {
  try {
    for (const { path, text } of files) {
      makeDirectories(dirname(path), mode === 0o600 ? 0o700 : 0o777);
      await writeFile(path, text, { flag: "wx", mode });
    }
  } catch (error) {
    throw toFileError(error, label);
  }
}
