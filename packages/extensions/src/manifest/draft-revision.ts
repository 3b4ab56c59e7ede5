import { realpathSync } from "node:fs";
import { join } from "node:path";
import { resolveEntrypoint } from "../entrypoint/resolve-entrypoint.ts";
import type { RevisionDraft } from "../lifecycle/decide-operation.ts";
import { toRevision } from "./manifest-revision.ts";
import { readManifest } from "./read-manifest.ts";

export const MANIFEST_FILE = "extension.toml";

/**
 * The revision that a manifest's text would be recorded as: with the folder it lies in, links followed, and the program as
 * it is found from there. A name that is not on PATH becomes a file of the folder, which its doctor then misses.
 */
export async function draftRevision(
  source: string,
  { folder, searchPath }: { readonly folder: string; readonly searchPath: string | undefined },
): Promise<RevisionDraft> {
  const manifest = await readManifest(source);
  const place = { folder: realpathSync(folder), searchPath };
  const { entrypoint } = manifest.runtime;
  return {
    manifest,
    revision: toRevision(manifest),
    folder: place.folder,
    entrypoint: resolveEntrypoint(entrypoint, place) ?? join(place.folder, entrypoint),
  };
}
