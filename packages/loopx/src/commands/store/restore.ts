import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fromRefusal, LoopxError, toInstant, type Ambient } from "@loopx/contracts";
import { checkOwner, listProjectsAtRoot } from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import { joinLines, OWNER_RUNS_THESE, renderNext } from "../../packets/render-facts.ts";
import { findBackupByName, findStats, listBackups } from "../../project/backups.ts";
import { connectRoot } from "../../project/connect.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withHomeToRead, withHomeToWrite } from "../../project/open-home.ts";
import { findProjectFolder } from "../../project/project-folder.ts";
import { toRootLabel } from "../../project/project-roots.ts";
import { restoreStore, type KeptState } from "../../project/restore-store.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Puts a backup in the place of a project's store; a check only without `--execute`. */
export const run: CommandHandler<"restore"> = async ({ flags, globals, ambient, facts }) => {
  const { actor } = await identifyCaller({ ambient, facts }, flags);
  const refused = flags.execute ? checkOwner(actor, "restore a backup") : undefined;
  if (refused !== undefined) throw fromRefusal(refused);
  const root = findProjectFolder({ globals, ambient });
  const from = flags.from === undefined ? await findNewestBackup(root, ambient) : findNamed(flags.from, ambient);
  // A home that cannot be written refuses before the store is touched.
  if (flags.execute) await withHomeToWrite(ambient, () => Promise.resolve());
  const takenAt = findTakenAt(from);
  const restored = await restoreStore({ root, from, isDryRun: !flags.execute }, ambient);
  if (flags.execute) {
    await connectRoot({ root, actor, goalId: undefined, objective: undefined, newId: false }, ambient);
  }
  const again = { ...(flags.from === undefined ? {} : { from: flags.from }), execute: true } as const;
  const extras = globals.project === undefined ? {} : { globals: { project: globals.project } };
  const next = flags.execute ? [printCommand("status", {}).shell] : [printCommand("restore", again, extras).shell];
  const undo =
    restored.kept?.folder === "backups"
      ? printCommand("restore", { from: restored.kept.name, execute: true }, extras).shell
      : undefined;
  return {
    packet: {
      ok: true,
      schema_version: "loopx_restore_v1",
      dry_run: !flags.execute,
      written: flags.execute,
      project_root_label: toRootLabel(root),
      way: restored.way,
      backup_taken_at: takenAt,
      ...(restored.kept === null ? {} : { replaced_state: restored.kept.name }),
      ...(undo === undefined ? {} : { undo }),
      next,
    },
    text: (style) =>
      joinLines(
        `${flags.execute ? "restored" : "the backup is sound; would restore"} ${toRootLabel(root)} as of ${takenAt ?? "an unknown time"}`,
        describeKept(restored.kept),
        undo === undefined ? "" : `  bring it back with: ${style.cyan(undo)}`,
        renderNext(next, style, flags.execute ? "next" : OWNER_RUNS_THESE),
      ),
  };
};

/** A path as typed, else the name of a file in the home's backups folder. */
function findNamed(from: string, ambient: Ambient): string {
  const path = resolve(ambient.cwd, from);
  return existsSync(path) ? path : (findBackupByName(from, ambient) ?? path);
}

function describeKept(kept: KeptState | null): string {
  if (kept === null) return "";
  return kept.folder === "backups"
    ? `  the state before is kept in the LoopX home's backups: ${kept.name}`
    : `  the damaged store is kept in the project: ${kept.name}`;
}

function findTakenAt(path: string): string | null {
  const taken = findStats(path);
  return taken === undefined ? null : toInstant(taken.mtimeMs);
}

async function findNewestBackup(root: string, ambient: Ambient): Promise<string> {
  const projects = await withHomeToRead(ambient, async (home) =>
    home === undefined ? [] : home.read((tx) => listProjectsAtRoot(tx, root)),
  );
  const [newest] = projects.flatMap((project) => listBackups(project.project_id, ambient));
  if (newest !== undefined) return newest.path;
  throw new LoopxError("file_not_readable", {
    message: "this machine keeps no backup of the project",
    hint:
      "name one with --from=FILE, carry over what can be read of a damaged store: loopx recover, " +
      "or begin again with an empty one: loopx connect --new-id",
    details: { field: "from" },
  });
}
