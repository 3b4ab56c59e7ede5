import type { ExtensionManifest } from "./manifest.ts";

/** The manifest that the text of an `extension.toml` states. Refuses with `manifest_invalid`. */
export async function readManifest(source: string): Promise<ExtensionManifest> {
  // The TOML library is loaded by the commands that read a manifest, and no other.
  const { parseManifest } = await import("./parse-manifest.ts");
  return parseManifest(source);
}
