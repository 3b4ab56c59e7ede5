import { sha256Hex, toCanonicalJson } from "@loopx/contracts";
import type { ExtensionManifest } from "./manifest.ts";

const REVISION_DIGITS = 16;

/** Names a manifest by what it says: 16 hexadecimal digits. The program itself is bound by its identity. */
export function toRevision(manifest: ExtensionManifest): string {
  return sha256Hex(toCanonicalJson(manifest)).slice(0, REVISION_DIGITS);
}
