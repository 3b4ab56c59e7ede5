import { diffBuilds } from "@loopx/runtime-context";
import { loadNamedBuild } from "../../context/build-place.ts";
import { joinLines } from "../../packets/render-facts.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Says what changes for a turn when one build takes the place of another. */
export const run: CommandHandler<"context diff"> = async ({ flags, ambient }) => {
  const before = await loadNamedBuild("from", flags.from, ambient);
  const after = await loadNamedBuild("to", flags.to, ambient);
  const differences = diffBuilds(before, after);
  return {
    packet: {
      ok: true,
      schema_version: "loopx_context_diff_v1",
      from: before.digest,
      to: after.digest,
      differences,
    },
    text: () => (differences.length === 0 ? "the same build" : joinLines(...differences.map(({ says }) => says))),
  };
};
