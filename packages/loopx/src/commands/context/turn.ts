import { parseTurnRequest, toTurnPacket, type TurnAnswer } from "@loopx/runtime-context";
import { printCommand } from "../../command-line/print-command.ts";
import { carryOutTurn } from "../../context/carry-out-turn.ts";
import { openNamedDeployment } from "../../context/open-runtime.ts";
import { parseInputs } from "../../context/parse-inputs.ts";
import { renderFindings, renderLayers, renderOutcome } from "../../context/render-layers.ts";
import type { TextStyle } from "../../output/text-style.ts";
import { joinLines, renderNext } from "../../packets/render-facts.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

type Flags = CommandInput<"context turn">["flags"];

/** Carries out one turn and ends. BLOCKED is an answer like the others. */
export const run: CommandHandler<"context turn"> = async ({ flags, ambient, note }) => {
  const request = parseTurnRequest({
    objective: flags.objective,
    consumer: flags.consumer,
    profile: flags.profile,
    inputs: parseInputs(flags.input),
  });
  const deployment = await openNamedDeployment(flags, ambient);
  try {
    const { store, storePassword, binding } = flags;
    const { answer, loss } = await carryOutTurn(deployment, { request, store, storePassword, binding }, ambient);
    if (loss !== undefined) note(loss);
    return { packet: toTurnPacket(answer), text: (style) => renderAnswer(answer, flags, style) };
  } finally {
    await deployment.close();
  }
};

function renderAnswer({ result, trace, isTraced, ignoredInputs }: TurnAnswer, flags: Flags, style: TextStyle): string {
  const { store, storePassword, binding } = flags;
  const next =
    isTraced && store !== undefined
      ? [printCommand("context traces show", { store, storePassword, binding, traceId: trace.id }).shell]
      : [];
  return joinLines(
    `${renderOutcome(result, style)}  ${trace.id}${isTraced ? "" : style.dim(" (not kept)")}`,
    renderLayers(result, style),
    renderFindings(result, ignoredInputs, style),
    renderNext(next, style),
  );
}
