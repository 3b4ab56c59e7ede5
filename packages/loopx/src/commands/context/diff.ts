import { resolve } from "node:path";
import { diffBuilds, loadBuild } from "@loopx/runtime-context";
import { joinLines } from "../../packets/render-facts.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Says what changes for a turn when one build takes the place of another. */
export const run: CommandHandler<"context diff"> = async ({ flags, ambient }) => {
  const before = await loadBuild(resolve(ambient.cwd, flags.from));
  const after = await loadBuild(resolve(ambient.cwd, flags.to));
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
