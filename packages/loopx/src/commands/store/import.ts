import { resolve } from "node:path";
import { fromRefusal, LoopxError, type Ambient } from "@loopx/contracts";
import { checkOwner, importProject, listTakenGoalIds, type Actor } from "@loopx/control-plane";
import type { Database } from "@loopx/store";
import { joinLines, renderNext } from "../../packets/render-facts.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { printCommand } from "../../command-line/print-command.ts";
import { connectRoot } from "../../project/connect.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withHomeToRead, withHomeToWrite } from "../../project/open-home.ts";
import type { OpenProject } from "../../project/open-project.ts";
import { readNamedFile } from "../../project/regular-file.ts";
import { withProject } from "../../project/resolve-project.ts";
import type { CommandResult } from "../../output/command-result.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";
import { importPython } from "./import-python.ts";

/** Reads an export, or a project of another implementation: all of it or nothing; a check only without `--execute`. */
export const run: CommandHandler<"import"> = async (input) => {
  const { flags, ambient, facts } = input;
  const { actor } = await identifyCaller({ ambient, facts }, flags);
  const refused = flags.execute ? checkOwner(actor, "import state") : undefined;
  if (refused !== undefined) throw fromRefusal(refused);
  if (flags.fromPythonLoopx !== undefined) return importPython({ input, folder: flags.fromPythonLoopx, actor });
  return importExport(input, { path: flags.input ?? "", actor });
};

async function importExport(
  { flags, globals, ambient }: CommandInput<"import">,
  { path, actor }: { readonly path: string; readonly actor: Actor },
): Promise<CommandResult> {
  const lines = readLines(resolve(ambient.cwd, path));
  const access = flags.execute ? "write" : "read";
  return withProject({ globals, ambient, goalId: undefined }, access, async (project) => {
    const imported = unwrap(await importProject(project.database, lines, { isDryRun: true, now: ambient.now() }));
    await assertImportable(project, imported.goalIds, { ambient, isDryRun: !flags.execute });
    if (flags.execute) {
      unwrap(await importProject(project.database, lines, { isDryRun: false, now: ambient.now() }));
      await connectRoot({ root: project.root, actor, goalId: undefined, objective: undefined, newId: false }, ambient);
    }
    const next = flags.execute ? [] : [printCommand("import", { input: path, execute: true }).shell];
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
}

/** The home is looked at before the first row is written: a goal that cannot be registered is not imported either. */
async function assertImportable(
  project: OpenProject,
  goalIds: readonly string[],
  { ambient, isDryRun }: { readonly ambient: Ambient; readonly isDryRun: boolean },
): Promise<void> {
  const withHome = isDryRun ? withHomeToRead : withHomeToWrite;
  const [taken] = await withHome(ambient, async (home: Database | undefined) =>
    home === undefined ? [] : listTakenGoalIds(home, goalIds, project.projectId),
  );
  if (taken === undefined) return;
  throw new LoopxError("goal_id_taken", {
    message: "another project on this machine has this goal; nothing was imported",
    hint: "import where that project is not registered: with a LOOPX_HOME of its own",
    details: { goal_id: taken },
  });
}

/** Far more than any state that one person's agents wrote; a whole file is held in memory. */
const IMPORT_MAX_BYTES = 2 ** 28;

function readLines(path: string): readonly string[] {
  const hint = "name a file that loopx export wrote";
  const bytes = readNamedFile({ path, field: "input", maxBytes: IMPORT_MAX_BYTES, hint });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).split(/\r?\n/);
  } catch (error) {
    throw new LoopxError("file_not_readable", {
      message: "the file named with --input is not UTF-8 text",
      hint,
      details: { field: "input" },
      cause: error,
    });
  }
}
