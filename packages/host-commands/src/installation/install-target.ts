import type { InstallHost } from "./install-host.ts";
import type { SettingsEntry } from "./settings-entry.ts";

/** Whether LoopX is installed for the user or in one project. */
export type InstallScope = "user" | "project";

/**
 * A folder that hosts read: a host's own home, the shared `~/.agents`, the folder of Claude Code's state file, or the scope's
 * top folder itself. Where it is on this machine is the composition root's to know.
 */
export type RootName = InstallHost | "agents" | "claude-state" | "top";

/** A file by its root and the way below it, with slashes. */
export interface Place {
  readonly scope: InstallScope;
  readonly root: RootName;
  readonly path: string;
}

/** What a target is for its user. */
export type TargetPart = "facade" | "policy" | "workflow_skill" | "plugin" | "hook" | "mcp_entry";

interface TargetBase {
  readonly host: InstallHost;
  readonly part: TargetPart;
  /** Where a copy already gives the host this name: with one there, this target would be a second. */
  readonly shadows: readonly Place[];
}

/** A file that is ours as a whole. */
export interface FileTarget extends TargetBase {
  readonly kind: "file";
  /** The name that the host shows. */
  readonly name: string;
  readonly place: Place;
  readonly text: string;
  /** The file that this one is about: beside a user's own it has no place. */
  readonly goesWith?: Place;
}

/** An entry of ours in a file of the user's. */
export interface EntryTarget extends TargetBase {
  readonly kind: "entry";
  /** Files that may hold it: the first that exists does, else the last is made. */
  readonly places: readonly [Place, ...Place[]];
  readonly format: "json" | "toml";
  readonly entry: SettingsEntry;
  /** The host keeps this file itself and writes it all the time: its own command adds the entry. */
  readonly hostCommand?: string;
}

/** A file that an older LoopX generated and that no longer has a place. */
export interface RetiredTarget {
  readonly kind: "retired";
  readonly host: InstallHost;
  readonly place: Place;
}

export type InstallTarget = FileTarget | EntryTarget | RetiredTarget;

/** The same place for the user: what is there holds in every project, and a project's copy would double it. */
export function listUserCopies(place: Place): readonly Place[] {
  return place.scope === "project" ? [{ ...place, scope: "user" }] : [];
}
