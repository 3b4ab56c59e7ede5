import { createHash } from "node:crypto";
import { readSync, realpathSync } from "node:fs";
import { basename, isAbsolute, relative, resolve } from "node:path";
import { refuseCredential, type EvidenceFile } from "@loopx/control-plane";
import { withNamedFile } from "../project/regular-file.ts";

/**
 * Records what files held: path relative to the project (or the caller's folder), SHA-256 and size.
 *
 * Refuses with `file_not_readable`, naming no more than the file, and with `credential_refused`.
 */
export function digestFiles(
  paths: readonly string[],
  from: { readonly cwd: string; readonly root: string },
): readonly EvidenceFile[] {
  return paths.map((path) => digestFile(path, from));
}

/** Evidence is a report, a log or a build's output. */
const FILE_MAX_BYTES = 2 ** 30;
const CHUNK_BYTES = 2 ** 16;

function digestFile(path: string, from: { readonly cwd: string; readonly root: string }): EvidenceFile {
  const written = resolve(from.cwd, path);
  const named = {
    path: written,
    field: "evidence_file",
    maxBytes: FILE_MAX_BYTES,
    hint: `check the name ${basename(path)}; nothing was recorded`,
  };
  return withNamedFile(named, (fd) => {
    const hash = createHash("sha256");
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let bytes = 0;
    for (let count = readSync(fd, chunk); count > 0; count = readSync(fd, chunk)) {
      bytes += count;
      hash.update(chunk.subarray(0, count));
    }
    const shown = toShownPath(realpathSync(written), from);
    refuseCredential(shown, "evidence_file");
    return { path: shown, sha256: hash.digest("hex"), bytes };
  });
}

/** Relative to the root or the working folder that holds it; of any other file only the name. */
function toShownPath(real: string, from: { readonly cwd: string; readonly root: string }): string {
  for (const folder of [from.root, from.cwd]) {
    const path = relative(folder, real);
    if (path !== "" && !path.startsWith("..") && !isAbsolute(path)) return path;
  }
  return basename(real);
}
