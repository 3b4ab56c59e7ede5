import { open, rm } from "node:fs/promises";
import { basename } from "node:path";
import { LoopxError, type Ambient } from "@loopx/contracts";
import { parseKeyset, renderKeyset, resolveSecret, type DeploymentBinding, type Keyset } from "@loopx/runtime-context";
import { toFileError, writeFileAtomically } from "@loopx/store";

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
  return withLock(`${reference.path}.lock`, async () => {
    if (read() !== before) throw toChangedError(label);
    const keyset = parseKeyset(before);
    const edited = edit(keyset);
    if (edited === keyset) return keyset;
    await writeFileAtomically(reference.path, renderKeyset(edited), { mode: 0o600, isExactMode: true, label });
    return edited;
  });
}

/** The file is there while its process works: an exclusive creation is the one lock that every file system has. */
async function withLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const label = basename(path);
  try {
    await (await open(path, "wx", 0o600)).close();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw toChangedError(label.replace(/\.lock$/, ""));
    throw toFileError(error, label);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

function toChangedError(label: string): LoopxError {
  return new LoopxError("keyset_changed", {
    message: `another process is changing ${label}, or has just done so; nothing was written`,
    hint: `look at it with loopx context keys list; where no other loopx runs, remove ${label}.lock and run the command again`,
  });
}
