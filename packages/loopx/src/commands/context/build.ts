import { basename, join, resolve } from "node:path";
import { createBuild, loadContextProject, writeBuild } from "@loopx/runtime-context";
import { printCommand } from "../../command-line/print-command.ts";
import { joinLines, renderFacts, renderNext } from "../../packets/render-facts.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Pins a project to a build directory; the same project gives the same bytes again. */
export const run: CommandHandler<"context build"> = async ({ flags, globals, ambient }) => {
  const { project, files, findings } = await loadContextProject(resolve(ambient.cwd, globals.project ?? "."));
  const build = createBuild(project, files);
  const written = await writeBuild(build, resolve(ambient.cwd, flags.output));
  const place = join(flags.output, basename(written));
  const { resolved, unpinned } = build.manifest;
  const next = [printCommand("context provider check", { build: place, binding: "<file-or-name>" }).shell];
  return {
    packet: {
      ok: true,
      schema_version: "loopx_context_build_v1",
      build: place,
      digest: build.digest,
      pinned: resolved.length,
      unpinned: unpinned.map(({ kind, provider, layers }) => ({ kind, provider, layers })),
      warnings: findings,
      next,
    },
    text: (style) =>
      joinLines(
        renderFacts(
          [
            ["build", place],
            ["digest", build.digest],
            ["pinned", `${resolved.length} pieces of static material`],
            ["unpinned", unpinned.map(({ kind, provider }) => `${kind} ${provider}`).join(", ") || "nothing"],
          ],
          style,
        ),
        findings.length === 0 ? "" : `${findings.length} warnings: loopx context check shows them`,
        renderNext(next, style),
      ),
  };
};
