import { basename, resolve } from "node:path";
import { statSync } from "node:fs";
import { fromRefusal } from "@loopx/contracts";
import { checkOwner } from "@loopx/control-plane";
import { removeOldBackups, takeBackup } from "../../project/backups.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withProject } from "../../project/resolve-project.ts";
import { joinLines, renderQuantity } from "../../packets/render-facts.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Copies a project's store while it is in use. */
export const run: CommandHandler<"backup"> = async ({ flags, globals, ambient, facts }) => {
  const { actor } = await identifyCaller({ ambient, facts }, { ownerTokenFile: flags.ownerTokenFile });
  const refused = flags.keep === undefined ? undefined : checkOwner(actor, "remove backups");
  if (refused !== undefined) throw fromRefusal(refused);
  return withProject({ globals, ambient, goalId: undefined }, "read", async (project) => {
    const written = { name: "", bytes: 0 };
    if (flags.output === undefined) {
      Object.assign(written, await takeBackup(project, ambient));
    } else {
      const path = resolve(ambient.cwd, flags.output);
      await project.database.backupTo(path);
      Object.assign(written, { name: flags.output, bytes: statSync(path).size });
    }
    const removed =
      flags.keep === undefined ? undefined : removeOldBackups(project.projectId, flags.keep, ambient).length;
    return {
      packet: {
        ok: true,
        schema_version: "loopx_backup_v1",
        project_root_label: project.label,
        ...(flags.output === undefined ? { backup: written.name } : {}),
        bytes: written.bytes,
        ...(removed === undefined ? {} : { removed_count: removed }),
      },
      text: (style) =>
        joinLines(
          `backed up ${style.bold(project.label)} (${Math.ceil(written.bytes / 1024)} KiB)`,
          removed === undefined || removed === 0 ? "" : `  removed ${renderQuantity(removed, "older backup")}`,
          `  in ${flags.output === undefined ? "the LoopX home's backups: " : ""}${basename(written.name)}`,
        ),
    };
  });
};
