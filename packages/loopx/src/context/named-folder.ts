import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { findSuggestions } from "@loopx/contracts";

/** A folder that is there, links followed, or what stands in the way, as words behind the folder's name. */
export type NamedFolder = { readonly path: string } | { readonly fault: string; readonly cause?: unknown };

/** The folder at a path. `written` is the path as the user typed it; what may have been meant is said in the same way. */
export function findNamedFolder(path: string, written: string): NamedFolder {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? { path: real } : { fault: "is not a folder" };
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "unknown";
    if (code !== "ENOENT" && code !== "ENOTDIR") return { fault: `cannot be read (${code})`, cause };
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return { fault: isLink ? "is a link that leads nowhere" : `does not exist${suggest(path, written)}`, cause };
  }
}

/** Names of what stands in a folder; none where it cannot be read. */
export function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function suggest(path: string, written: string): string {
  const names = listNames(dirname(path)).filter((name) => !name.startsWith("."));
  const near = findSuggestions(basename(path), names).map((name) => join(dirname(written), name));
  return near.length === 0 ? "" : ` (did you mean ${near.join(" or ")}?)`;
}
