import { readdirSync, realpathSync, rmdirSync, rmSync, statSync, unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isLoopxError, sha256Hex } from "@loopx/contracts";
import type { BlockReason } from "@loopx/host-commands";
import { makeDirectories, toFileError, writeFileAtomically } from "@loopx/store";
import { readContainedFile, type Reading } from "./contained-file.ts";
import type { HostFile } from "./host-roots.ts";

/** A file as it was read, to be changed only if it still is so. */
export type KnownFile = Exclude<Reading, { readonly kind: "blocked" }>;

/** Undefined when it is done, else why nothing was changed. */
export type ChangeFault = BlockReason | undefined;

/** Replaces a file whole, keeping its permissions, or makes it with its folders. */
export async function writeContainedFile(file: HostFile, known: KnownFile, text: string): Promise<ChangeFault> {
  return change(file, known, async () => {
    makeDirectories(dirname(known.path), 0o777);
    removeLeftovers(known.path);
    const mode = known.kind === "text" ? known.mode : 0o644;
    await writeFileAtomically(known.path, text, { mode, label: file.label, ...(known.kind === "text" && KEEPS_MODE) });
  });
}

const KEEPS_MODE = { isExactMode: true } as const;

/** Removes a file, and the folders below the boundary that are empty without it. */
export async function removeContainedFile(file: HostFile, known: KnownFile): Promise<ChangeFault> {
  return change(file, known, () => {
    removeLeftovers(known.path);
    unlinkSync(known.path);
    removeEmptyFolders(dirname(known.path), realpathSync(file.boundary));
  });
}

/** The name of the copy that `saveCopy` makes of a text. */
export function toCopyLabel(file: HostFile, text: string): string {
  return `${file.label}${toSuffix(text)}`;
}

function toSuffix(text: string): string {
  return `.edited-${sha256Hex(text).slice(0, 12)}`;
}

/** Saves the text of a file beside it, under a name that says what it is; gives that name. */
export async function saveCopy(
  file: HostFile,
  known: Extract<KnownFile, { readonly kind: "text" }>,
): Promise<{ readonly savedAs: string } | { readonly fault: BlockReason }> {
  const fault = await change(file, known, () =>
    writeFileAtomically(`${known.path}${toSuffix(known.text)}`, known.text, {
      mode: known.mode,
      label: file.label,
      ...KEEPS_MODE,
    }),
  );
  return fault === undefined ? { savedAs: toCopyLabel(file, known.text) } : { fault };
}

async function change(file: HostFile, known: KnownFile, act: () => Promise<void> | void): Promise<ChangeFault> {
  try {
    const now = readContainedFile(file);
    if (now.kind === "blocked") return now.reason;
    const isSame = now.path === known.path && textOf(now) === textOf(known);
    if (!isSame) return "changed_meanwhile";
    await act();
    return undefined;
  } catch (error) {
    const fault = toFileError(error, file.label);
    if (isLoopxError(fault) && fault.code === "file_not_writable") return "not_writable";
    throw fault;
  }
}

function textOf(known: KnownFile): string | undefined {
  return known.kind === "text" ? known.text : undefined;
}

/** A write that was killed leaves a file that nobody reads. A young one may be another process's. */
const OLD_ENOUGH_MS = 60_000;

function removeLeftovers(path: string): void {
  const folder = dirname(path);
  const leftover = new RegExp(String.raw`^\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$`);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(basename(path)) || !leftover.test(name.slice(basename(path).length))) continue;
    const stats = statSync(join(folder, name), { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > OLD_ENOUGH_MS) rmSync(join(folder, name), { force: true });
  }
}

function removeEmptyFolders(folder: string, boundary: string): void {
  for (let at = folder; at.startsWith(`${boundary}/`); at = dirname(at)) {
    if (readdirSync(at).length > 0) return;
    rmdirSync(at);
  }
}
