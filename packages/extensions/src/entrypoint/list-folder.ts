import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Of an extension's own folder: more could not be looked at before each request. */
export const FOLDER_LIMITS = { maxFiles: 256, maxBytes: 8 * 1024 * 1024, maxDepth: 8 } as const;

/** What tools write beside a program while it runs, and what git keeps: none of it is loaded by name. */
const LEFT_OUT: ReadonlySet<string> = new Set([".git", "__pycache__", ".DS_Store"]);

/** The files and links below a folder, in a fixed order; undefined where there are more than the limits take. */
export function listFolder(root: string): readonly string[] | undefined {
  const found: string[] = [];
  const folders: { readonly path: string; readonly depth: number }[] = [{ path: root, depth: 1 }];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    if (next.depth > FOLDER_LIMITS.maxDepth) return undefined;
    for (const entry of readdirSync(next.path, { withFileTypes: true })) {
      const path = join(next.path, entry.name);
      if (LEFT_OUT.has(entry.name)) continue;
      if (entry.isDirectory()) folders.push({ path, depth: next.depth + 1 });
      else found.push(path);
      if (found.length + folders.length > FOLDER_LIMITS.maxFiles) return undefined;
    }
  }
  return found.toSorted();
}
