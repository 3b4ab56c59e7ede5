import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fromRefusal, LoopxError } from "@loopx/contracts";
import { checkOwner, importProject } from "@loopx/control-plane";
import { joinLines, renderNext } from "../../packets/render-facts.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { printCommand } from "../../command-line/print-command.ts";
import { connectRoot } from "../../project/connect.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withProject } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Reads an export into the project: all of it or nothing; a check only without `--execute`. */
export const run: CommandHandler<"import"> = async ({ flags, globals, ambient, facts }) => {
  const { actor } = await identifyCaller({ ambient, facts }, flags);
  const refused = flags.execute ? checkOwner(actor, "import state") : undefined;
  if (refused !== undefined) throw fromRefusal(refused);
  const lines = readLines(resolve(ambient.cwd, flags.input));
  const access = flags.execute ? "write" : "read";
  return withProject({ globals, ambient, goalId: undefined }, access, async (project) => {
    const imported = unwrap(await importProject(project.database, lines, { isDryRun: !flags.execute }));
    if (flags.execute) {
      await connectRoot({ root: project.root, actor, goalId: undefined, objective: undefined, newId: false }, ambient);
    }
    const next = flags.execute ? [] : [printCommand("import", { input: flags.input, execute: true }).shell];
    return {
      packet: {
        ok: true,
        schema_version: "loopx_import_v1",
        dry_run: !flags.execute,
        written: flags.execute,
        rows: imported.rows,
        goal_ids: imported.goalIds,
        next,
      },
      text: (style) =>
        joinLines(
          `${flags.execute ? "imported" : "would import"} ${imported.rows} rows: ${imported.goalIds.join(", ")}`,
          renderNext(next, style),
        ),
    };
  });
};

function readLines(path: string): readonly string[] {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path)).split(/\r?\n/);
  } catch (error) {
    throw new LoopxError("file_not_readable", {
      message: "the file named with --input cannot be read as UTF-8 text",
      hint: "name a file that loopx export wrote",
      details: { field: "input" },
      cause: error,
    });
  }
}
