import { addMs, LoopxError, type Instant } from "@loopx/contracts";
import { printCommand } from "../../command-line/print-command.ts";
import { withTraces } from "../../context/trace-place.ts";
import { joinLines, renderNext, renderQuantity } from "../../packets/render-facts.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

type Input = CommandInput<"context traces prune">;

/** Removes traces that are old, with what was kept with them. Each chain says so, so it is only shown first. */
export const run: CommandHandler<"context traces prune"> = async ({ flags, ambient }) => {
  const { store, storePassword, binding, execute } = flags;
  const before = parseMoment(flags, ambient.now());
  const { traceCount, left } = await withTraces(flags, ambient, (traces) =>
    execute ? traces.prune(before) : traces.countAged(before),
  );
  const named = { store, storePassword, binding };
  const next = [
    // The moment as it was shown: a span of time would mean another one later.
    ...(execute || traceCount === 0
      ? []
      : [printCommand("context traces prune", { ...named, before, execute: true }).shell]),
    ...(left.length === 0 ? [] : [printCommand("context traces verify", named).shell]),
  ];
  return {
    packet: {
      ok: left.length === 0,
      schema_version: "loopx_context_traces_prune_v1",
      before,
      traces: traceCount,
      pruned: execute,
      left: left.map(({ writer, partition, keyId }) => ({ writer, month: partition, key: keyId })),
      next,
    },
    text: (style) =>
      joinLines(
        `${execute ? "pruned" : "would prune"} ${renderQuantity(traceCount, "trace")} from before ${before}`,
        left.length === 0
          ? ""
          : style.yellow(`left ${renderQuantity(left.length, "chain")} that can't be told from an altered one`),
        renderNext(next, style),
      ),
    exitCode: left.length === 0 ? 0 : 1,
  };
};

/** Refuses with `missing_flag` neither of the two, with `invalid_value` both, or what is to come. */
function parseMoment({ before, olderThan }: Input["flags"], now: Instant): Instant {
  if (before === undefined && olderThan !== undefined) return addMs(now, -olderThan);
  if (before !== undefined && olderThan === undefined && before <= now) return before;
  if (before !== undefined && olderThan === undefined) {
    throw new LoopxError("invalid_value", { message: "--before names a moment to come", details: { field: "before" } });
  }
  throw new LoopxError(before === undefined ? "missing_flag" : "invalid_value", {
    message: "pruning takes one of --before and --older-than",
    hint: "for example --older-than=90d",
    details: { flags: ["--before", "--older-than"] },
  });
}
