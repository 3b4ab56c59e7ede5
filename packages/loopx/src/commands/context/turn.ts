import { parseTurnRequest, runTurn, toTurnPacket, type TurnAnswer } from "@loopx/runtime-context";
import { printCommand } from "../../command-line/print-command.ts";
import { openNamedDeployment } from "../../context/open-runtime.ts";
import { parseInputs } from "../../context/parse-inputs.ts";
import { renderFindings, renderLayers, renderOutcome } from "../../context/render-layers.ts";
import { createProviderClock, TURN_DEADLINE_MS } from "../../context/runtime-parts.ts";
import { openTracesToRecord } from "../../context/trace-place.ts";
import type { TextStyle } from "../../output/text-style.ts";
import { joinLines, renderNext } from "../../packets/render-facts.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { withRepairHint } from "../../project/with-repair-hint.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

type Flags = CommandInput<"context turn">["flags"];

/** One writer for all turns of this command on one deployment: a trace that is taken out of its chain shows. */
const WRITER = "context-turn";

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
    const { store } = flags;
    const traces =
      store === undefined
        ? null
        : await openTracesToRecord(store, deployment, { ambient, writer: `${WRITER}.${deployment.binding.id}` });
    try {
      const parts = {
        clock: createProviderClock(ambient),
        newTraceId: () => ambient.newId("trace"),
        traces,
        turnDeadlineMs: TURN_DEADLINE_MS,
      };
      const verify = printCommand("context traces verify", { store: store ?? "", binding: flags.binding }).shell;
      const made = unwrap(await withRepairHint(verify, () => runTurn(deployment, request, parts)));
      // Nobody looks at this process's counters later: what became of the trace is said now.
      await traces?.flush();
      const lossCode = traces?.status.lastLossCode ?? null;
      const answer = { ...made, isTraced: made.isTraced && lossCode === null };
      if (lossCode !== null) note(`the trace was not kept (${lossCode}): ${verify}`);
      return { packet: toTurnPacket(answer), text: (style) => renderAnswer(answer, flags, style) };
    } finally {
      await traces?.close();
    }
  } finally {
    await deployment.close();
  }
};

function renderAnswer({ result, trace, isTraced, ignoredInputs }: TurnAnswer, flags: Flags, style: TextStyle): string {
  const next =
    isTraced && flags.store !== undefined
      ? [printCommand("context traces show", { store: flags.store, binding: flags.binding, traceId: trace.id }).shell]
      : [];
  return joinLines(
    `${renderOutcome(result, style)}  ${trace.id}${isTraced ? "" : style.dim(" (not kept)")}`,
    renderLayers(result, style),
    renderFindings(result, ignoredInputs, style),
    renderNext(next, style),
  );
}
