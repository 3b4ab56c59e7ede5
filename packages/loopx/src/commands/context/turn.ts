import { parseTurnRequest, toTurnPacket, type TurnAnswer, type TurnResult } from "@loopx/runtime-context";
import { printCommand } from "../../command-line/print-command.ts";
import { carryOutTurn } from "../../context/carry-out-turn.ts";
import { openNamedDeployment } from "../../context/open-runtime.ts";
import { parseInputs } from "../../context/parse-inputs.ts";
import { sayProviderReason } from "../../context/say-provider-reason.ts";
import { renderTable } from "../../output/render-table.ts";
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
    const { store, binding } = flags;
    const { answer, loss } = await carryOutTurn(deployment, { request, store, binding }, ambient);
    if (loss !== undefined) note(loss);
    return { packet: toTurnPacket(answer), text: (style) => renderAnswer(answer, flags, style) };
  } finally {
    await deployment.close();
  }
};

function sayProvider({
  provider,
  providerStatus,
  providerReason,
  providerPointer,
}: TurnResult["layers"][number]): string {
  if (provider === null) return "";
  const why = sayProviderReason(providerReason, providerPointer);
  return `${provider} ${providerStatus ?? ""}${why === "" ? "" : ` (${why})`}`;
}

function renderAnswer({ result, trace, isTraced, ignoredInputs }: TurnAnswer, flags: Flags, style: TextStyle): string {
  const paint = { READY: style.green, DEGRADED: style.yellow, BLOCKED: style.red }[result.outcome];
  const layers = result.layers.map((layer) => [
    layer.layer,
    layer.rule,
    layer.state,
    [layer.reason, layer.state === "NOT_REQUESTED" ? null : layer.notSelectedBecause]
      .filter((word) => word !== null)
      .join(", "),
    sayProvider(layer),
    String(layer.bytes),
  ]);
  const columns = [
    { title: "LAYER" },
    { title: "RULE" },
    { title: "STATE" },
    { title: "REASON" },
    { title: "PROVIDER" },
    { title: "BYTES", align: "right" as const },
  ];
  const next =
    isTraced && flags.store !== undefined
      ? [printCommand("context traces show", { store: flags.store, binding: flags.binding, traceId: trace.id }).shell]
      : [];
  return joinLines(
    `${paint(result.outcome)}  ${trace.id}${isTraced ? "" : style.dim(" (not kept)")}`,
    renderTable(columns, layers, style),
    ...ignoredInputs.map(({ says }) => `${style.yellow("ignored")}  ${says}`),
    ...result.unknowns.map(({ says }) => `${style.yellow("unknown")}  ${says}`),
    ...result.blockedBy.map(({ says }) => `${style.red("blocked")}  ${says}`),
    result.rendered === "" ? "" : `\n${result.rendered.trimEnd()}`,
    renderNext(next, style),
  );
}
