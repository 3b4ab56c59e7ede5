import type { EntryState, UnusableReason } from "./entry-state.ts";
import type { FileState } from "./file-state.ts";

/** What is done with the targets. */
export type InstallOperation = "install" | "uninstall" | "check";

/** What became of one target, or, with `check`, how it stands. */
export type InstallStatus =
  | "created"
  | "updated"
  | "upgraded_legacy"
  | "unchanged"
  | "removed"
  | "absent"
  | "current"
  | "missing"
  | "stale"
  | "edited"
  | "legacy"
  | "shadowed"
  | "skipped_user_file"
  | "left_to_host"
  | "blocked";

/** Why a target could not be touched. */
export type BlockReason =
  | UnusableReason
  | "symlink_leaves_root"
  | "not_a_file"
  | "not_readable"
  | "not_writable"
  | "not_utf8"
  | "too_large"
  | "changed_meanwhile";

/** What is to be done with a file or entry, and how that is called once it is done. */
export interface InstallDecision {
  readonly status: InstallStatus;
  readonly act: "nothing" | "write" | "remove";
  /** A user's edits, or what might hold some, are saved beside the file first. */
  readonly savesCopy?: true;
}

const KEEP = { act: "nothing" } as const;

/** The decision for a file of ours. */
export function decideFile(operation: InstallOperation, state: FileState, isShadowed: boolean): InstallDecision {
  switch (operation) {
    case "check":
      return { ...KEEP, status: toStanding(state, isShadowed) };
    case "uninstall":
      if (state === "absent") return { ...KEEP, status: "absent" };
      return state === "foreign" || state === "legacy" ? { ...KEEP, status: "skipped_user_file" } : toRemoval(state);
    case "install":
      if (!isShadowed) return decideInstallation(state);
      return state === "absent" || state === "foreign" ? { ...KEEP, status: "shadowed" } : toRemoval(state);
    default:
      throw new TypeError(`no decision to ${String(operation satisfies never)}`);
  }
}

function toStanding(state: FileState, isShadowed: boolean): InstallStatus {
  if (state === "foreign") return "skipped_user_file";
  if (state === "absent") return isShadowed ? "shadowed" : "missing";
  // Of two copies ours has to go.
  return state === "current" && isShadowed ? "stale" : state;
}

function toRemoval(state: FileState): InstallDecision {
  const mayBeEdited = state === "edited" || state === "legacy";
  return { status: "removed", act: "remove", ...(mayBeEdited && { savesCopy: true }) };
}

function decideInstallation(state: FileState): InstallDecision {
  switch (state) {
    case "absent":
      return { status: "created", act: "write" };
    case "current":
      return { status: "unchanged", act: "nothing" };
    case "stale":
      return { status: "updated", act: "write" };
    case "edited":
      return { status: "updated", act: "write", savesCopy: true };
    case "legacy":
      return { status: "upgraded_legacy", act: "write", savesCopy: true };
    case "foreign":
      return { status: "skipped_user_file", act: "nothing" };
    default:
      throw new TypeError(`no installation over ${String(state satisfies never)}`);
  }
}

/** The decision for a file that an older LoopX generated and that has no place any more; undefined where there is none. */
export function decideRetired(operation: InstallOperation, state: FileState): InstallDecision | undefined {
  if (state !== "legacy" || operation === "uninstall") return undefined;
  return operation === "check" ? { ...KEEP, status: "legacy" } : toRemoval(state);
}

/** The decision for an entry in a user's settings file. */
export function decideEntry(
  operation: InstallOperation,
  state: Exclude<EntryState["kind"], "unusable">,
  circumstances: { readonly isShadowed: boolean; readonly isLeftToHost: boolean },
): InstallDecision {
  if (circumstances.isLeftToHost) return { ...KEEP, status: toHostStatus(operation, state) };
  // The words are the same: absent, current, stale, or the user's own.
  return decideFile(operation, state, circumstances.isShadowed);
}

function toHostStatus(operation: InstallOperation, state: Exclude<EntryState["kind"], "unusable">): InstallStatus {
  const isThere = state === "current" || state === "stale";
  if (operation === "uninstall") return isThere ? "left_to_host" : "absent";
  if (!isThere) return "left_to_host";
  return operation === "check" ? "current" : "unchanged";
}

/** Statuses that say that another run of `--install` would change something. */
export function isDrift(status: InstallStatus): boolean {
  return (
    status === "missing" || status === "stale" || status === "edited" || status === "legacy" || status === "blocked"
  );
}
