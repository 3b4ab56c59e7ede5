import { parseTraceQuery, toTracePagePacket, type TracePage } from "@loopx/runtime-context";
import { printCommand } from "../../command-line/print-command.ts";
import { searchForValue } from "../../context/search-for-value.ts";
import { withTraces } from "../../context/trace-place.ts";
import { renderTable } from "../../output/render-table.ts";
import type { TextStyle } from "../../output/text-style.ts";
import { joinLines, renderNext } from "../../packets/render-facts.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Searches the traces of a store, latest first. */
export const run: CommandHandler<"context traces list"> = async ({ flags, ambient }) => {
  const { store, storePassword, binding, limit, input, ...filters } = flags;
  const query = parseTraceQuery({ ...filters, ...(limit === undefined ? {} : { limit: String(limit) }) });
  const { page, isUnlinked } = await withTraces(
    { store, storePassword, binding },
    ambient,
    async (traces, { ring }) => ({
      page: await traces.search(searchForValue(query, input, ring)),
      isUnlinked: input.length > 0 && ring.hasDestroyedKeys,
    }),
  );
  const next =
    page.nextCursor === null ? [] : [printCommand("context traces list", { ...flags, cursor: page.nextCursor }).shell];
  return {
    packet: {
      ok: true,
      schema_version: "loopx_context_traces_v1",
      ...toTracePagePacket(page),
      ...(isUnlinked ? { keys_destroyed: true } : {}),
      next,
    },
    text: (style) =>
      joinLines(
        page.traces.length === 0 ? "no trace fits" : renderTraces(page.traces, style),
        isUnlinked
          ? style.yellow("what was made with a destroyed key is linked to no value, so it isn't among these")
          : "",
        renderNext(next, style),
      ),
  };
};

function renderTraces(traces: TracePage["traces"], style: TextStyle): string {
  const columns = [
    { title: "TRACE" },
    { title: "AT" },
    { title: "OUTCOME" },
    { title: "OBJECTIVE" },
    { title: "CONSUMER" },
    { title: "PROVIDERS" },
  ];
  const rows = traces.map((trace) => [
    trace.id,
    trace.at,
    trace.outcome,
    trace.objective,
    trace.consumer,
    trace.providers.map(({ provider, status }) => `${provider} ${status}`).join(", "),
  ]);
  return renderTable(columns, rows, style);
}
