import { NO_REBASE } from "@loopx/decision-context";
import { renderAssembly, toAssemblyPacket } from "../../decision-context/assembly-packet.ts";
import { renderActivation } from "../../decision-context/render-activation.ts";
import { runAssembly, type RanAssembly } from "../../decision-context/run-assembly.ts";
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
    const asked = { goalId, agentId, profile, decisionId, observedAt };
    // Nothing is settled on sources that weren't read, so there is nothing to make of them yet.
    const next =
      evidence?.assembly.source_coverage.complete === false
        ? printCommand("decision-context prepare-evidence", { goalId, agentId, profile, decisionId })
        : printCommand("decision-context prepare-review", { ...asked, ...toRebase(evidence), execute: true });
    return {
      packet: {
        ...toAssemblyPacket(activation, evidence, { isRebased: false, isPendingWritten: false }),
        next: evidence === null ? [] : [next.shell],
      },
      text: (style) =>
        evidence === null
          ? renderActivation(activation, loaded, style)
          : joinLines(
              renderAssembly(evidence, style),
              renderNext(
                [next.shell],
                style,
                evidence.assembly.source_coverage.complete ? "next" : "once every required source can be read",
              ),
            ),
    };
  });
};

/** Where nothing changed there is nothing to say what it means. */
function toRebase(evidence: RanAssembly["evidence"]): { readonly rebaseJson?: string } {
  return evidence?.assembly.semantic_rebase.status === "no_material_change" ? {} : { rebaseJson: "<rebase.json>" };
}
