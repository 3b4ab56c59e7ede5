import { basename, join, resolve } from "node:path";
import { createBuild, CURRENT_BUILD, linkCurrentBuild, loadContextProject, writeBuild } from "@loopx/runtime-context";
import { printCommand } from "../../command-line/print-command.ts";
import { hasNamedBinding } from "../../context/binding-place.ts";
import { findProjectFolder } from "../../context/project-place.ts";
import { joinLines, renderFacts, renderNext, renderQuantity } from "../../packets/render-facts.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Pins a project to a build directory, which `current` then leads to; the same project gives the same bytes again. */
export const run: CommandHandler<"context build"> = async ({ flags, globals, ambient }) => {
  const { project, files, findings } = await loadContextProject(findProjectFolder(globals.project, ambient));
  const build = createBuild(project, files);
  const written = await writeBuild(build, resolve(ambient.cwd, flags.output));
  const place = join(flags.output, basename(written));
  const current = (await linkCurrentBuild(written)) ? join(flags.output, CURRENT_BUILD) : null;
  const { resolved, unpinned } = build.manifest;
  const binding = hasNamedBinding(project.id, ambient) ? project.id : "<file-or-name>";
  const next = [printCommand("context provider check", { build: current ?? place, binding }).shell];
  return {
    packet: {
      ok: true,
      schema_version: "loopx_context_build_v1",
      build: place,
      current,
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
            ["current", current ?? `left as it is: ${join(flags.output, CURRENT_BUILD)} is no link`],
            ["digest", build.digest],
            ["pinned", `${renderQuantity(resolved.length, "piece")} of static material`],
            ["unpinned", unpinned.map(({ kind, provider }) => `${kind} ${provider}`).join(", ") || "nothing"],
          ],
          style,
        ),
        findings.length === 0 ? "" : `${renderQuantity(findings.length, "warning")}: loopx context check shows what`,
        renderNext(next, style),
      ),
  };
};
