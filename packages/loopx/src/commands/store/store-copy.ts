import { fromRefusal, LoopxError, type Ambient } from "@loopx/contracts";
import { checkOwner } from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import type { CommandResult } from "../../output/command-result.ts";
import { joinLines, OWNER_RUNS_THESE, renderNext, renderQuantity } from "../../packets/render-facts.ts";
import { assertTrusted } from "../../project/assert-trusted.ts";
import { takeBackup } from "../../project/backups.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withHomeToWrite } from "../../project/open-home.ts";
import { openProject } from "../../project/open-project.ts";
import { findProjectFolder } from "../../project/project-folder.ts";
import { hasStore, isOnServer, STORE_LABEL, STORE_REFERENCE_LABEL, toRootLabel } from "../../project/project-roots.ts";
import type { MovedState } from "../../server-store/move-store.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

type Input = CommandInput<"store copy">;

/** Moves a project's state between engines; a look at what would be moved only without `--execute`. */
export const run: CommandHandler<"store copy"> = async (input) => {
  const { flags, globals, ambient, facts } = input;
  const { actor } = await identifyCaller({ ambient, facts }, flags);
  const refused = flags.execute ? checkOwner(actor, "choose where a project's state is kept") : undefined;
  if (refused !== undefined) throw fromRefusal(refused);
  const root = findProjectFolder({ globals, ambient });
  assertFrom(root, flags.from);
  const request = { root, to: flags.to, password: flags.storePassword };
  const { moveStore, planMove } = await import("../../programs/server-store.ts");
  const planned = await planMove(request, ambient);
  if (!flags.execute) return renderMove(input, root, { moved: planned, backup: null });
  await assertTrusted({ root, projectId: planned.projectId }, ambient);
  // A home that cannot be written refuses before a store is touched: the reference is recorded there.
  await withHomeToWrite(ambient, () => Promise.resolve());
  const backup = planned.isResumed ? null : await backUp(root, ambient);
  const moved = await moveStore(request, ambient);
  return renderMove(input, root, { moved, backup });
};

function assertFrom(root: string, from: Input["flags"]["from"]): void {
  if (!hasStore(root)) {
    throw new LoopxError("project_not_connected", {
      message: "this folder has no LoopX store yet",
      hint: "go to the project's folder, or name it with --project=DIR",
    });
  }
  const place = isOnServer(root) ? "server" : "file";
  if (from === undefined || from === place) return;
  throw new LoopxError("invalid_value", {
    message: `this project's state is kept ${place === "file" ? `in ${STORE_LABEL}` : `on the server that ${STORE_REFERENCE_LABEL} names`}`,
    hint: "loopx store status",
    details: { field: "from" },
  });
}

/** The name of the backup in the LoopX home. */
async function backUp(root: string, ambient: Ambient): Promise<string> {
  const project = await openProject(root, "write", ambient);
  try {
    return (await takeBackup(project, ambient)).name;
  } finally {
    await project.database.close();
  }
}

interface Answer {
  readonly moved: MovedState;
  readonly backup: string | null;
}

function renderMove({ flags, globals }: Input, root: string, { moved, backup }: Answer): CommandResult {
  const { execute, to } = flags;
  const { storePassword, from } = flags;
  const rowCount = moved.tables.reduce((sum, table) => sum + table.rowCount, 0);
  const extras = globals.project === undefined ? {} : { globals: { project: globals.project } };
  const again = { to, ...(from && { from }), ...(storePassword && { storePassword }), execute: true } as const;
  const next = execute ? [printCommand("store status", {}).shell] : [printCommand("store copy", again, extras).shell];
  const { projectId } = moved;
  const elsewhere =
    execute && to !== "file"
      ? printCommand("bootstrap", { store: to, projectId, ...(storePassword && { storePassword }) }).shell
      : undefined;
  const label = toRootLabel(root);
  return {
    packet: {
      ok: true,
      schema_version: "loopx_store_copy_v1",
      dry_run: !execute,
      written: execute,
      project_root_label: label,
      project_id: projectId,
      to,
      resumed: moved.isResumed,
      digest: moved.digest,
      tables: moved.tables.map(({ name, rowCount: rows, digest }) => ({ name, rows, digest })),
      ...(backup === null ? {} : { backup }),
      ...(elsewhere === undefined ? {} : { other_machines: elsewhere }),
      next,
    },
    text: (style) =>
      joinLines(
        moved.isResumed
          ? `${execute ? "finished" : "would finish"} an earlier move of ${style.bold(label)} to ${to}`
          : `${execute ? "moved" : "would move"} ${style.bold(label)} to ${to}: ${renderQuantity(rowCount, "row")} in ${renderQuantity(moved.tables.length, "table")}`,
        execute ? `  equal on both sides: ${moved.digest.slice(0, 23)}…` : "",
        backup === null ? "" : `  the state before is in the LoopX home's backups: ${backup}`,
        elsewhere === undefined ? "" : `  other machines join by: ${style.cyan(elsewhere)}`,
        renderNext(next, style, execute ? "next" : OWNER_RUNS_THESE),
      ),
  };
}
