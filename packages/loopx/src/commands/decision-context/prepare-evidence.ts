import { NO_REBASE } from "@loopx/decision-context";
import { renderAssembly, toAssemblyPacket } from "../../decision-context/assembly-packet.ts";
import { renderActivation } from "../../decision-context/render-activation.ts";
import { runAssembly } from "../../decision-context/run-assembly.ts";
import { joinLines, renderNext } from "../../packets/render-facts.ts";
import { printCommand } from "../../command-line/print-command.ts";
import { withProject } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Reads the sources and recalls, and shows what changed. Stores nothing. */
export const run: CommandHandler<"decision-context prepare-evidence"> = async (input) => {
  const { flags } = input;
  return withProject({ ...input, goalId: flags.goalId }, "read", async (project) => {
    const { activation, loaded, evidence } = await runAssembly(input, project, NO_REBASE);
    const { goalId, agentId, profile, decisionId, observedAt } = flags;
    const next = printCommand("decision-context prepare-review", {
      goalId,
      agentId,
      profile,
      decisionId,
      observedAt,
      rebaseJson: "<rebase.json>",
      execute: true,
    });
    return {
      packet: toAssemblyPacket(activation, evidence, { isRebased: false, isPendingWritten: false }),
      text: (style) =>
        evidence === null
          ? renderActivation(activation, loaded, style)
          : joinLines(renderAssembly(evidence, style), renderNext([next.shell], style)),
    };
  });
};
