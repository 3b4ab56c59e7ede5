import { LoopxError } from "@loopx/contracts";
import { listRequestDigests, parseTraceQuery, toTracePagePacket, type TracePage } from "@loopx/runtime-context";
import { printCommand } from "../../command-line/print-command.ts";
import { parseInputs } from "../../context/parse-inputs.ts";
import { withTraces } from "../../context/trace-place.ts";
import { renderTable } from "../../output/render-table.ts";
import type { TextStyle } from "../../output/text-style.ts";
import { joinLines, renderNext } from "../../packets/render-facts.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Searches the traces of a store, latest first. */
export const run: CommandHandler<"context traces list"> = async ({ flags, ambient }) => {
  const { store, binding, limit, input, ...filters } = flags;
  const query = parseTraceQuery({ ...filters, ...(limit === undefined ? {} : { limit: String(limit) }) });
  const lookup = findLookup(input, query.provider);
  const { page, isUnlinked } = await withTraces({ store, binding }, ambient, async (traces, { ring }) => ({
    page: await traces.search(lookup === null ? query : { ...query, requestDigests: listRequestDigests(ring, lookup) }),
    isUnlinked: lookup !== null && ring.hasDestroyedKeys,
  }));
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

/** The value is looked for by its digests: no trace has it. */
function findLookup(inputs: readonly string[], provider: string | undefined): Lookup | null {
  if (inputs.length === 0) return null;
  const [[key, value] = ["", ""], ...others] = Object.entries(parseInputs(inputs));
  if (provider !== undefined && others.length === 0) return { provider, key, value };
  throw new LoopxError(provider === undefined ? "missing_flag" : "invalid_value", {
    message: "a search for a value takes one --input and the --provider that was asked for it",
    hint: "for example --provider=customer-data --input=customerId=CUST-1042",
    details: { flags: ["--provider", "--input"] },
  });
}

type Lookup = Parameters<typeof listRequestDigests>[1];

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
