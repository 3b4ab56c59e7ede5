import { basename, dirname, join } from "node:path";
import { LoopxError, sha256Hex } from "@loopx/contracts";
import { hasProjectFile, loadContextProject, type LoadedProject } from "@loopx/runtime-context/offline";
import type { ContextAttachmentRow } from "@loopx/workstation/contract";

/** Where a Context Project, its binding and its traces are on this machine. Paths are absolute and go to no page. */
export interface ContextPlace {
  /** Follows from the three of them, so that it stands in a link as long as they do. */
  readonly id: string;
  readonly folder: string;
  /** A name in the LoopX home, or a file; null where none is known. */
  readonly binding: string | null;
  /** The folder of the trace store; null where none is kept. */
  readonly traces: string | null;
  readonly attachments: readonly ContextAttachmentRow[];
  readonly isNamedAtStart: boolean;
}

type PlaceParts = Pick<ContextPlace, "folder" | "binding" | "traces">;

const ID_DIGITS = 16;

export function toPlaceId({ folder, binding, traces }: PlaceParts): string {
  return sha256Hex(JSON.stringify([folder, binding, traces])).slice(0, ID_DIGITS);
}

/** The folders in which builds of a project are looked for: its own `builds`, and the one beside it. */
export function listBuildFolders({ folder }: Pick<ContextPlace, "folder">): readonly string[] {
  return [join(folder, "builds"), join(dirname(folder), "builds")];
}

/** The project as it stands now. Refuses with `file_not_readable` and as `loadContextProject` does; names no path. */
export async function loadPlacedProject({ folder }: Pick<ContextPlace, "folder">): Promise<LoadedProject> {
  if (hasProjectFile(folder)) return loadContextProject(folder);
  throw new LoopxError("file_not_readable", {
    message: `the folder ${basename(folder)} has no context.project.json, .jsonc or .yaml any more`,
    hint: "attach the project where it is now: loopx context attach --help",
  });
}
