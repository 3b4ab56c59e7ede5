import type { ChainReport } from "@loopx/runtime-context";
import { withTraces } from "../../context/trace-place.ts";
import { renderTable } from "../../output/render-table.ts";
import { joinLines, renderQuantity } from "../../packets/render-facts.ts";
import type { TextStyle } from "../../output/text-style.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Walks every chain of a store and names the first trace of each that is not as it was written. */
export const run: CommandHandler<"context traces verify"> = async ({ flags, ambient }) => {
  const chains = await withTraces(flags, ambient, (traces) => traces.verify());
  const isWhole = chains.every(({ verdict }) => verdict.ok);
  return {
    packet: { ok: isWhole, schema_version: "loopx_context_traces_verify_v1", chains: chains.map(toChainPacket) },
    text: (style) =>
      joinLines(
        renderTable(
          [{ title: "WRITER" }, { title: "MONTH" }, { title: "KEY" }, { title: "VERDICT" }],
          chains.map((chain) => [chain.writer || "all", chain.partition || "all", chain.keyId, sayVerdict(chain)]),
          style,
        ),
        isWhole ? sayWhole(chains, style) : style.red(sayFault(chains)),
      ),
    exitCode: isWhole ? 0 : 1,
  };
};

/** Nothing tells a store that was emptied from one that was never written to. */
function sayWhole(chains: readonly ChainReport[], style: TextStyle): string {
  return chains.length === 0
    ? style.yellow("the store has no traces: nothing was verified")
    : style.green("every trace is as it was written");
}

function toChainPacket({ writer, partition, keyId, verdict }: ChainReport): object {
  return {
    writer,
    month: partition,
    key: keyId,
    ok: verdict.ok,
    ...(verdict.ok
      ? { count: verdict.count, ...("pruned" in verdict ? { pruned: verdict.pruned } : {}) }
      : { problem: verdict.problem, first_bad_sequence: verdict.firstBadSequence }),
  };
}

function sayVerdict({ verdict }: ChainReport): string {
  if (verdict.ok) {
    const pruned = "pruned" in verdict ? verdict.pruned : undefined;
    const gone = pruned === undefined ? "" : `; ${pruned.count} before them pruned at ${pruned.at}`;
    return `${renderQuantity(verdict.count, "trace")}, whole${gone}`;
  }
  switch (verdict.problem) {
    case "OTHER_DEPLOYMENT":
      return `${verdict.problem}: verify it with that one's --binding`;
    case "KEY_DESTROYED":
    case "KEY_UNKNOWN":
      return `${verdict.problem}: it can't be checked without its key`;
    case "CHAIN_MISSING":
      return `${verdict.problem}: its traces were recorded and are gone`;
    case "PRUNING_ALTERED":
      return `${verdict.problem}: what is said of traces that were pruned was altered`;
    case "CHAIN_UNLISTED":
      return `${verdict.problem}: the signed list of chains is gone or was altered`;
    default:
      return `${verdict.problem} at ${verdict.firstBadSequence}`;
  }
}

/** A chain that nobody can check may be whole, or not: somebody may have named it after a key that is gone. */
function sayFault(chains: readonly ChainReport[]): string {
  const isUnchecked = chains.every(({ verdict }) => verdict.ok || UNCHECKED.has(verdict.problem));
  return isUnchecked ? "not every trace can be checked" : "not every trace is as it was written";
}

const UNCHECKED: ReadonlySet<string> = new Set(["KEY_DESTROYED", "KEY_UNKNOWN", "OTHER_DEPLOYMENT"]);
