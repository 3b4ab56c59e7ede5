import { join } from "node:path";
import { sha256Hex, type Ambient } from "@loopx/contracts";
import type { EventArchive } from "@loopx/control-plane";
import { makeDirectories, toFileError, writeFileAtomically } from "@loopx/store";
import { ARCHIVES_DIRECTORY, resolveHomeDirectory } from "./home-location.ts";

/**
 * Writes events that `gc` removes to files of mode 0600 in the LoopX home, beside the backups: what cleans a working copy
 * does not take them.
 *
 * Refuses with `file_not_writable`, `store_full`.
 */
export function openArchive(projectId: string, ambient: Ambient): EventArchive {
  const directory = join(resolveHomeDirectory(ambient), ARCHIVES_DIRECTORY);
  try {
    makeDirectories(directory, 0o700);
  } catch (error) {
    throw toFileError(error, "the folder for archives in the LoopX home");
  }
  return async ({ compactionId, fromSeq, throughSeq, lines }) => {
    const name = `${projectId}-${fromSeq}-${throughSeq}-${compactionId}.jsonl`;
    const text = `${lines.join("\n")}\n`;
    await writeFileAtomically(join(directory, name), text, { mode: 0o600, label: "the archive" });
    return { name, digest: `sha256:${sha256Hex(text)}` };
  };
}
