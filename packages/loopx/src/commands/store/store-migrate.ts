import { fromRefusal, isLoopxError } from "@loopx/contracts";
import { checkOwner } from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import { joinLines, OWNER_RUNS_THESE, renderNext } from "../../packets/render-facts.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withProject } from "../../project/resolve-project.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

/** Brings a store's schema up to date; a look at whether it is only without `--execute`. */
export const run: CommandHandler<"store migrate"> = async (input) => {
  const { flags, ambient, facts } = input;
  const { actor } = await identifyCaller({ ambient, facts }, flags);
  const refused = flags.execute ? checkOwner(actor, "migrate a store") : undefined;
  if (refused !== undefined) throw fromRefusal(refused);
  const isOld = await needsMigration(input);
  const isMigrated = isOld && flags.execute;
  if (isMigrated) await migrate(input);
  const next = isOld && !flags.execute ? [printCommand("store migrate", { execute: true }).shell] : [];
  return {
    packet: {
      ok: true,
      schema_version: "loopx_store_migrate_v1",
      dry_run: !flags.execute,
      needed: isOld,
      written: isMigrated,
      next,
    },
    text: (style) =>
      joinLines(
        isMigrated
          ? "migrated; the state before is in the LoopX home's backups"
          : isOld
            ? "the store has an older schema; it would be backed up and migrated"
            : "the store has this version's schema",
        renderNext(next, style, OWNER_RUNS_THESE),
      ),
  };
};

type Input = Pick<CommandInput<"store migrate">, "globals" | "ambient">;

async function needsMigration({ globals, ambient }: Input): Promise<boolean> {
  try {
    return await withProject({ globals, ambient, goalId: undefined }, "read", () => Promise.resolve(false));
  } catch (error) {
    if (isLoopxError(error) && error.code === "store_needs_migration") return true;
    throw error;
  }
}

/** Opening it to write does it, with the backup that goes before. */
async function migrate({ globals, ambient }: Input): Promise<void> {
  await withProject({ globals, ambient, goalId: undefined }, "write", () => Promise.resolve());
}
