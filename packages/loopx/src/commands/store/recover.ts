import { fromRefusal } from "@loopx/contracts";
import { checkOwner, type Actor } from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import { joinLines, OWNER_RUNS_THESE, renderFacts, renderNext, renderQuantity } from "../../packets/render-facts.ts";
import { connectRoot } from "../../project/connect.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { findProjectFolder } from "../../project/project-folder.ts";
import { toHomeTarget } from "../../recovery/home-target.ts";
import { toProjectTarget } from "../../recovery/project-target.ts";
import { recoverStore, type RecoveredStore, type RecoveryTarget } from "../../recovery/recover-store.ts";
import { toTracesTarget } from "../../recovery/traces-target.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

type Input = CommandInput<"recover">;

/** Makes a new store of what can be read of a damaged one; shows what would come of it without `--execute`. */
export const run: CommandHandler<"recover"> = async (input) => {
  const { flags, ambient, facts } = input;
  const { actor } = await identifyCaller({ ambient, facts }, flags);
  const refused = flags.execute ? checkOwner(actor, "recover a store") : undefined;
  if (refused !== undefined) throw fromRefusal(refused);
  const { target, root } = chooseTarget(input, actor);
  const recovered = await recoverStore(target, { isDryRun: !flags.execute, ambient });
  if (flags.execute && root !== undefined) {
    await connectRoot({ root, actor, goalId: undefined, objective: undefined, newId: false }, ambient);
  }
  const next = [printNext(input)];
  return {
    packet: {
      ok: true,
      schema_version: "loopx_recover_v1",
      dry_run: !flags.execute,
      written: flags.execute,
      store: target.label,
      ...toCountsPacket(recovered),
      ...(recovered.kept === null ? {} : { damaged_store: recovered.kept }),
      next,
    },
    text: (style) =>
      joinLines(
        `${flags.execute ? "recovered" : "would recover"} ${style.bold(target.label)}`,
        renderFacts(describe(recovered), style),
        recovered.kept === null ? "" : `  the damaged store is kept beside it: ${recovered.kept}`,
        renderNext(next, style, flags.execute ? "next" : OWNER_RUNS_THESE),
      ),
  };
};

function chooseTarget(
  { flags, globals, ambient }: Input,
  actor: Actor,
): { readonly target: RecoveryTarget; readonly root?: string } {
  if (flags.home) return { target: toHomeTarget(ambient) };
  if (flags.store !== undefined) return { target: toTracesTarget(flags.store, ambient) };
  const root = findProjectFolder({ globals, ambient });
  return { target: toProjectTarget(root, actor, ambient), root };
}

function printNext({ flags, globals }: Input): string {
  const extras = globals.project === undefined ? {} : { globals: { project: globals.project } };
  const { home, store } = flags;
  if (!flags.execute) {
    const which = { ...(home ? { home } : {}), ...(store === undefined ? {} : { store }) };
    return printCommand("recover", { ...which, execute: true }, extras).shell;
  }
  return printCommand("doctor", { deep: true, ...(store === undefined ? {} : { store: [store] }) }, extras).shell;
}

function toCountsPacket({ counts, lostPages, lostRows }: RecoveredStore): object {
  return {
    carried_rows: counts.carriedRows,
    ...(counts.rebuiltRows === undefined ? {} : { rebuilt_rows: counts.rebuiltRows }),
    ...(counts.carriedEvents === undefined ? {} : { carried_events: counts.carriedEvents }),
    ...(counts.lostEvents === undefined ? {} : { lost_events: counts.lostEvents }),
    ...(counts.addedEvents === undefined ? {} : { added_events: counts.addedEvents }),
    lost_pages: lostPages,
    lost_rows: lostRows,
    dropped_rows: counts.droppedRows,
  };
}

function describe({ counts, lostPages, lostRows }: RecoveredStore): readonly (readonly [string, string | null])[] {
  return [
    ["carried", renderQuantity(counts.carriedRows, "row")],
    ["made again", sayIfAny(counts.rebuiltRows, "row", "from events")],
    ["events", counts.carriedEvents === undefined ? null : renderQuantity(counts.carriedEvents, "event")],
    ["events lost", sayIfAny(counts.lostEvents, "event", "inside what is left")],
    ["events added", sayIfAny(counts.addedEvents, "event", "for rows whose own was lost")],
    ["lost", `${renderQuantity(lostPages, "page")}, ${renderQuantity(lostRows, "row")} in pages that can be read`],
    ["left out", sayIfAny(counts.droppedRows, "row", "of what is lost")],
  ];
}

function sayIfAny(count: number | undefined, noun: string, rest: string): string | null {
  return count === undefined || count === 0 ? null : `${renderQuantity(count, noun)} ${rest}`;
}
