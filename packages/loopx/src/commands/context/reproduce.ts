import { LoopxError } from "@loopx/contracts";
import { reproduceTurn, type Difference, type Reproduction } from "@loopx/runtime-context";
import { printCommand } from "../../command-line/print-command.ts";
import { findPinnedBuild } from "../../context/build-place.ts";
import { explainUnavailable, toReproductionPacket } from "../../context/reproduction-packet.ts";
import { withTraces } from "../../context/trace-place.ts";
import { renderTable } from "../../output/render-table.ts";
import type { TextStyle } from "../../output/text-style.ts";
import { joinLines, renderFacts } from "../../packets/render-facts.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Carries out a recorded turn again. Nothing here can ask a provider. */
export const run: CommandHandler<"context reproduce"> = async ({ flags, positionals, ambient }) => {
  const [traceId = ""] = positionals;
  const reproduction = await withTraces(flags, ambient, async (traces, keyed) => {
    const recorded = await traces.findRecorded(traceId);
    if (recorded === undefined) {
      throw new LoopxError("unknown_trace", {
        message: "no trace of this store has this id",
        hint: printCommand("context traces list", {
          store: flags.store,
          storePassword: flags.storePassword,
          binding: flags.binding,
        }).shell,
      });
    }
    const findBuild = (digest: string) => findPinnedBuild(flags.builds, digest, ambient);
    return reproduceTurn(recorded, { ...keyed, now: ambient.now(), findBuild });
  });
  return {
    packet: toReproductionPacket(traceId, reproduction, flags.withText),
    text: (style) => renderReproduction(traceId, reproduction, { style, hasText: flags.withText }),
    exitCode: reproduction.verdict === "EXACT" ? 0 : 1,
  };
};

function renderReproduction(
  traceId: string,
  reproduction: Reproduction,
  { style, hasText }: { readonly style: TextStyle; readonly hasText: boolean },
): string {
  const { verdict } = reproduction;
  if (verdict === "LIVE_DEPENDENCY_UNAVAILABLE") {
    const { reason, provider } = reproduction;
    const facts = renderFacts(
      [
        ["reason", `${reason}: ${explainUnavailable(reason)}`],
        ["provider", provider],
      ],
      style,
    );
    return joinLines(`${style.red(verdict)}  ${traceId}`, facts);
  }
  const { result } = reproduction;
  const shown = hasText ? `\n${result.rendered}` : "";
  if (verdict === "EXACT") {
    return joinLines(`${style.green(verdict)}  ${traceId}`, `${result.outcome}, the same bytes`, shown);
  }
  return joinLines(`${style.red(verdict)}  ${traceId}`, renderDifferences(reproduction.differences, style), shown);
}

function renderDifferences(differences: readonly Difference[], style: TextStyle): string {
  return renderTable(
    [{ title: "PART" }, { title: "LAYER" }, { title: "RECORDED" }, { title: "REPRODUCED" }],
    differences.map(({ part, layer, recorded, reproduced }) => [part, layer ?? "", ...tellApart(recorded, reproduced)]),
    style,
  );
}

/** Of two records the members that differ. */
function tellApart(recorded: unknown, reproduced: unknown): readonly [string, string] {
  const [then, now] = [toMembers(recorded), toMembers(reproduced)];
  const keys = [...new Set([...Object.keys(then), ...Object.keys(now)])];
  const differing = keys.filter((key) => JSON.stringify(then[key]) !== JSON.stringify(now[key]));
  const say = (members: Readonly<Record<string, unknown>>): string =>
    differing.map((key) => (key === "" ? "" : `${key}=`) + (JSON.stringify(members[key]) ?? "none")).join(" ");
  return [say(then), say(now)];
}

function toMembers(side: unknown): Readonly<Record<string, unknown>> {
  return typeof side === "object" && side !== null && !Array.isArray(side) ? { ...side } : { "": side };
}
