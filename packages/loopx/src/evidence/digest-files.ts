import { createHash } from "node:crypto";
import { createReadStream, realpathSync, statSync } from "node:fs";
import { basename, isAbsolute, relative, resolve } from "node:path";
import { LoopxError } from "@loopx/contracts";
import type { EvidenceFile } from "@loopx/control-plane";

/**
 * Records what files held: path relative to the project (or the caller's folder), SHA-256 and size.
 *
 * Refuses with `file_not_readable`, naming the file as the caller typed it only when that is relative.
 */
export async function digestFiles(
  paths: readonly string[],
  from: { readonly cwd: string; readonly root: string },
): Promise<readonly EvidenceFile[]> {
  const files: EvidenceFile[] = [];
  for (const path of paths) files.push(await digestFile(path, from));
  return files;
}

async function digestFile(path: string, from: { readonly cwd: string; readonly root: string }): Promise<EvidenceFile> {
  try {
    const real = realpathSync(resolve(from.cwd, path));
    const { size } = statSync(real);
    const hash = createHash("sha256");
    for await (const chunk of createReadStream(real)) hash.update(chunk as Buffer);
    return { path: toShownPath(real, from), sha256: hash.digest("hex"), bytes: size };
  } catch (error) {
    throw new LoopxError("file_not_readable", {
      message: `--evidence-file names a file that cannot be read: ${basename(path)}`,
      hint: "check the name; nothing was recorded",
      details: { field: "evidence_file" },
      cause: error,
    });
  }
}

/** Relative to the root or the working folder that holds it; of any other file only the name. */
function toShownPath(real: string, from: { readonly cwd: string; readonly root: string }): string {
  for (const folder of [from.root, from.cwd]) {
    const path = relative(folder, real);
    if (path !== "" && !path.startsWith("..") && !isAbsolute(path)) return path;
  }
  return basename(real);
}
