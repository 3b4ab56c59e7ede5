import type { TurnResult } from "@loopx/runtime-context/offline";
import { renderTable } from "../output/render-table.ts";
import type { TextStyle } from "../output/text-style.ts";
import { joinLines } from "../packets/render-facts.ts";
import { sayProviderReason } from "./say-provider-reason.ts";

/** A turn's outcome in its colour. */
export function renderOutcome({ outcome }: TurnResult, style: TextStyle): string {
  const paint = { READY: style.green, DEGRADED: style.yellow, BLOCKED: style.red }[outcome];
  return paint(outcome);
}

/** What became of each layer of a turn, and why. */
export function renderLayers(result: TurnResult, style: TextStyle): string {
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
  return renderTable(columns, layers, style);
}

/** What a turn didn't use, doesn't know and is blocked by, then the text for its reader. */
export function renderFindings(
  result: TurnResult,
  ignoredInputs: readonly { readonly says: string }[],
  style: TextStyle,
): string {
  return joinLines(
    ...ignoredInputs.map(({ says }) => `${style.yellow("ignored")}  ${says}`),
    ...result.unknowns.map(({ says }) => `${style.yellow("unknown")}  ${says}`),
    ...result.blockedBy.map(({ says }) => `${style.red("blocked")}  ${says}`),
    result.rendered === "" ? "" : `\n${result.rendered.trimEnd()}`,
  );
}

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
