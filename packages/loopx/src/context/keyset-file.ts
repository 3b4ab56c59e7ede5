import { open, rename, rm, type FileHandle } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { LoopxError, type Ambient } from "@loopx/contracts";
import { parseKeyset, renderKeyset, resolveSecret, type DeploymentBinding, type Keyset } from "@loopx/runtime-context";
import { syncDirectory, toFileError } from "@loopx/store";

/** The keys that a binding names, as they are now. Refuses as `resolveSecret` and `parseKeyset` do. */
export function readKeyset({ keyset }: DeploymentBinding, ambient: Ambient): Keyset {
  return parseKeyset(resolveSecret(keyset, ambient.env).reveal());
}

/**
 * Replaces a binding's keyset by what `edit` makes of it, in one step. Nothing is written where `edit` gives it back or throws.
 *
 * Of several processes at once one wins: the others are refused with `keyset_changed`, and so is one whose keyset isn't the
 * one it read. Refuses with `invalid_value` a keyset in the environment, and with `file_not_writable`.
 */
export async function editKeyset(
  { keyset: reference }: DeploymentBinding,
  ambient: Ambient,
  edit: (keyset: Keyset) => Keyset,
): Promise<Keyset> {
  if (reference.kind === "env") {
    throw new LoopxError("invalid_value", {
      message: `the binding takes its keyset from env:${reference.name}, which nobody but you can change`,
      hint: "write the keyset to a file of mode 0600 and name it as file:PATH, then run the command again",
      details: { field: "keyset" },
    });
  }
  const read = (): string => resolveSecret(reference, ambient.env).reveal();
  const before = read();
  const label = basename(reference.path);
  const keyset = await replaceUnderLock(reference.path, label, () => {
    if (read() !== before) throw toChangedError(label);
    const keysetBefore = parseKeyset(before);
    const edited = edit(keysetBefore);
    return { result: edited, text: edited === keysetBefore ? null : renderKeyset(edited) };
  });
  syncDirectory(dirname(reference.path));
  return keyset;
}

interface Replacement<Result> {
  readonly result: Result;
  /** Null leaves the file as it is. */
  readonly text: string | null;
}

/**
 * The next file is its own lock: an exclusive creation is the one that every file system has, and renaming it gives the lock back.
 *
 * Of a process that is killed nothing is left but this one file, which the next one refuses to pass. Under any other name a
 * copy of the keys would lie there unseen, and a key that is destroyed later would still be in it.
 */
async function replaceUnderLock<Result>(path: string, label: string, work: () => Replacement<Result>): Promise<Result> {
  const lockPath = `${path}.lock`;
  const lock = await openLock(lockPath, label);
  try {
    const { result, text } = await writeNext(lock, work);
    if (text === null) await rm(lockPath, { force: true });
    else await rename(lockPath, path);
    return result;
  } catch (error) {
    await rm(lockPath, { force: true });
    throw toFileError(error, label);
  }
}

async function openLock(path: string, label: string): Promise<FileHandle> {
  try {
    return await open(path, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw toChangedError(label);
    throw toFileError(error, `${label}.lock`);
  }
}

async function writeNext<Result>(lock: FileHandle, work: () => Replacement<Result>): Promise<Replacement<Result>> {
  try {
    const replacement = work();
    if (replacement.text === null) return replacement;
    await lock.chmod(0o600);
    await lock.writeFile(replacement.text);
    await lock.sync();
    return replacement;
  } finally {
    await lock.close();
  }
}

function toChangedError(label: string): LoopxError {
  return new LoopxError("keyset_changed", {
    message: `another process is changing ${label}, or was ended while it did; nothing was written`,
    hint: `look at it with loopx context keys list; where no other loopx runs, remove ${label}.lock, which may hold keys, and run the command again`,
  });
}
