import { basename, resolve } from "node:path";
import { statSync } from "node:fs";
import { takeBackup } from "../../project/backups.ts";
import { withProject } from "../../project/resolve-project.ts";
import { joinLines } from "../../packets/render-facts.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Copies a project's store while it is in use. */
export const run: CommandHandler<"backup"> = async ({ flags, globals, ambient }) =>
  withProject({ globals, ambient, goalId: undefined }, "read", async (project) => {
    const written = { name: "", bytes: 0 };
    if (flags.output === undefined) {
      Object.assign(written, await takeBackup(project, ambient));
    } else {
      const path = resolve(ambient.cwd, flags.output);
      await project.database.backupTo(path);
      Object.assign(written, { name: flags.output, bytes: statSync(path).size });
    }
    return {
      packet: {
        ok: true,
        schema_version: "loopx_backup_v1",
        project_root_label: project.label,
        ...(flags.output === undefined ? { backup: written.name } : {}),
        bytes: written.bytes,
      },
      text: (style) =>
        joinLines(
          `backed up ${style.bold(project.label)} (${Math.ceil(written.bytes / 1024)} KiB)`,
          `  in ${flags.output === undefined ? "the LoopX home's backups: " : ""}${basename(written.name)}`,
        ),
    };
  });
