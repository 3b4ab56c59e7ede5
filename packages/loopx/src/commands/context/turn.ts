import { parseTurnRequest, runTurn, toTurnPacket, type TurnAnswer, type TurnResult } from "@loopx/runtime-context";
import { printCommand } from "../../command-line/print-command.ts";
import { parseInputs } from "../../context/parse-inputs.ts";
import { openNamedDeployment } from "../../context/open-runtime.ts";
import { createProviderClock, TURN_DEADLINE_MS } from "../../context/runtime-parts.ts";
import { sayProviderReason } from "../../context/say-provider-reason.ts";
import { openTracesToRecord } from "../../context/trace-place.ts";
import { renderTable } from "../../output/render-table.ts";
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
