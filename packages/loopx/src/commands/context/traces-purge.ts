import type { PurgeFilter } from "@loopx/runtime-context";
import { printCommand } from "../../command-line/print-command.ts";
import { withTraces } from "../../context/trace-place.ts";
import { joinLines, renderNext, renderQuantity } from "../../packets/render-facts.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Removes kept content: what has expired, or all of a trace or a provider. The traces stay. */
export const run: CommandHandler<"context traces purge"> = async ({ flags, ambient }) => {
  const { traceId, provider, execute } = flags;
  const isNamed = traceId !== undefined || provider !== undefined;
  const count = await withTraces(flags, ambient, (traces, { binding }) => {
    const filter: PurgeFilter = {
      deployment: binding.id,
      ...(traceId === undefined ? {} : { traceId }),
      ...(provider === undefined ? {} : { provider }),
      ...(isNamed ? {} : { expiredAt: ambient.now() }),
    };
    return execute ? traces.purge(filter, isNamed ? "requested" : "expired") : traces.countContents(filter);
  });
  const next = execute || count === 0 ? [] : [printCommand("context traces purge", { ...flags, execute: true }).shell];
  const what = `${isNamed ? "" : "expired "}${renderQuantity(count, "kept answer")}`;
  return {
    packet: { ok: true, schema_version: "loopx_context_traces_purge_v1", contents: count, purged: execute, next },
    text: (style) =>
      joinLines(`${execute ? "purged" : "would purge"} ${what}; the traces stay`, renderNext(next, style)),
  };
};
