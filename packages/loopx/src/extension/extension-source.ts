import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { findSuggestions, LoopxError, type Ambient } from "@loopx/contracts";
import { draftRevision, MANIFEST_FILE, type RevisionDraft } from "@loopx/extensions";
import { readNamedFile } from "../project/regular-file.ts";

const MANIFEST_MAX_BYTES = 64 * 1024;

/** What ships with LoopX, each in a folder beside the program. */
const BUNDLED_IDS = ["session-history", "loopx-obelisk"];
const BUNDLED_FOLDER = join(import.meta.dirname, "extensions");

/** Where a manifest is to be taken from: one of both. */
export interface ExtensionSource {
  readonly manifest?: string;
  readonly bundled?: string;
}

/** The revision that a source holds now. Refuses with `file_not_readable`, `manifest_invalid`, `unknown_extension`. */
export async function draftFromSource(source: ExtensionSource, ambient: Ambient): Promise<RevisionDraft> {
  if (source.bundled !== undefined) {
    return draftFromFile(join(findBundled(source.bundled), MANIFEST_FILE), { ambient, field: "bundled" });
  }
  return draftFromPath(source.manifest ?? "", { ambient, field: "manifest" });
}

/** The revision at a path that was typed: a manifest, or the folder of one. */
export async function draftFromPath(
  path: string,
  { ambient, field }: { readonly ambient: Ambient; readonly field: string },
): Promise<RevisionDraft> {
  const absolute = resolve(ambient.cwd, path);
  const file = isFolder(absolute) ? join(absolute, MANIFEST_FILE) : absolute;
  return draftFromFile(file, { ambient, field });
}

async function draftFromFile(
  path: string,
  { ambient, field }: { readonly ambient: Ambient; readonly field: string },
): Promise<RevisionDraft> {
  const hint = `name a folder that holds ${MANIFEST_FILE}, or that file`;
  const bytes = readNamedFile({ path, field, maxBytes: MANIFEST_MAX_BYTES, hint });
  return draftRevision(decode(bytes), { folder: dirname(path), searchPath: ambient.env["PATH"] });
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new LoopxError("manifest_invalid", { message: `${MANIFEST_FILE} is not UTF-8 text`, cause: error });
  }
}

/** What a bundled extension needs on this machine besides LoopX, where it needs something. */
export function findBundledNeed(id: string | undefined): string | undefined {
  return id === "loopx-obelisk" ? OBELISK_NEED : undefined;
}

const OBELISK_NEED =
  "install Obelisk first: its doctor runs `obelisk --version` from PATH, on a Node that Obelisk takes (22.13 or newer)";

function findBundled(id: string): string {
  if (!BUNDLED_IDS.includes(id)) {
    const near = findSuggestions(id, BUNDLED_IDS);
    throw new LoopxError("unknown_extension", {
      message: `no extension of this name ships with LoopX; there are ${BUNDLED_IDS.join(" and ")}`,
      hint: `loopx extension install --bundled=${near[0] ?? "session-history"}`,
      details: { field: "bundled" },
    });
  }
  const folder = join(BUNDLED_FOLDER, id);
  if (isFolder(folder)) return folder;
  throw new LoopxError("unknown_extension", {
    message: `this copy of LoopX was built without ${id}`,
    hint: "install LoopX again",
    details: { field: "bundled" },
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
