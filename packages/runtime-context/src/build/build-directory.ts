import { FILE_LIMITS } from "../project/files/file-rules.ts";

export const MANIFEST_FILE = "manifest.json";
export const BLOB_DIRECTORY = "blobs";

/** A manifest repeats the texts and ids of a project file of at most 1 MiB, with defaults. */
export const MANIFEST_MAX_BYTES = 16 * FILE_LIMITS.bytes;

/** `build-` and the first twelve digits of the digest. */
export function toBuildName(digest: string): string {
  return `build-${digest.replace(/^sha256:/, "").slice(0, 12)}`;
}

/** True for a name that promises which build is inside. */
export function isBuildName(name: string): boolean {
  return /^build-[0-9a-f]{12}$/.test(name);
}
