import { LoopxError } from "@loopx/contracts";
import type { ContextTrace } from "@loopx/runtime-context";
import { printCommand } from "../../command-line/print-command.ts";
import { sayProviderReason } from "../../context/say-provider-reason.ts";
import { withTraces } from "../../context/trace-place.ts";
import { renderTable } from "../../output/render-table.ts";
import type { TextStyle } from "../../output/text-style.ts";
import { joinLines, renderFacts } from "../../packets/render-facts.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Shows one trace. It holds names, digests and times, so there is nothing in it to hide. */
export const run: CommandHandler<"context traces show"> = async ({ flags, ambient }) => {
  const trace = await withTraces(flags, ambient, (traces) => traces.find(flags.traceId));
  if (trace === undefined) {
    throw new LoopxError("unknown_trace", {
      message: "no trace of this store has this id",
      hint: printCommand("context traces list", {
        store: flags.store,
        storePassword: flags.storePassword,
        binding: flags.binding,
      }).shell,
    });
  }
  return {
    packet: { ok: true, schema_version: "loopx_context_trace_v1", trace },
    text: (style) => renderTrace(trace, style),
  };
};

function renderTrace(trace: ContextTrace, style: TextStyle): string {
  const facts = renderFacts(
    [
      ["trace", trace.id],
      ["at", `${trace.at}, ${trace.durationMs} ms`],
      ["outcome", trace.outcome],
      ["asked", `${trace.objective} for ${trace.consumer}, profile ${trace.profile}`],
      ["inputs", trace.inputs.join(", ") || "none"],
      ["build", trace.buildDigest],
      ["budget", `${trace.budget.used} of ${trace.budget.bytes} bytes`],
    ],
    style,
  );
  const layers = renderTable(
    [{ title: "LAYER" }, { title: "STATE" }, { title: "REASON" }, { title: "PROVIDER" }],
    trace.layers.map(({ layer, state, reason, provider }) => [layer, state, reason ?? "", provider ?? ""]),
    style,
  );
  return joinLines(facts, layers, ...trace.providers.map((provider) => renderProvenance(provider, style)));
}

function renderProvenance(from: ContextTrace["providers"][number], style: TextStyle): string {
  return joinLines(
    style.bold(`${from.provider} ${from.status} ${sayProviderReason(from.reason, from.pointer)}`.trimEnd()),
    renderFacts(
      [
        ["request", `${from.key} ${from.requestDigest ?? "withheld"}`],
        ["observed", `${from.observedAt ?? "not"}, after ${from.durationMs} ms`],
        ["version", from.version === null ? null : `${from.version} (${from.versionSource ?? ""})`],
        ["revision", from.revision],
        ["currentness", from.currentness],
        [
          "binding",
          from.bindingDigest === null ? null : [from.bindingRevision, from.bindingDigest].filter(Boolean).join(" "),
        ],
        ["items", from.itemLocators.join(", ") || null],
        ["retained", sayRetained(from)],
      ],
      style,
    ),
  );
}

function sayRetained({ contentRetained, contentPurgedAt, materialDigest }: ContextTrace["providers"][number]): string {
  if (contentRetained) return "content, encrypted, and digests";
  if (contentPurgedAt !== undefined) return `digests; the content was purged at ${contentPurgedAt}`;
  return materialDigest === null ? "nothing" : "digests";
}
