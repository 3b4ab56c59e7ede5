import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { LoopxError } from "@loopx/contracts";
import { makeDirectories, toFileError } from "@loopx/store";

/** Refuses with `file_not_writable` where one of these is there already. The hint says what to name instead. */
export function refuseExisting(paths: readonly string[], hint: string): void {
  const present = paths.find((path) => existsSync(path));
  if (present === undefined) return;
  throw new LoopxError("file_not_writable", {
    message: `${present.slice(dirname(present).length + 1)} is there already; nothing was written`,
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
