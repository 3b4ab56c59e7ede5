import {
  createBuild,
  loadContextProject,
  parseTurnRequest,
  previewTurn,
  toPreviewPacket,
  type Preview,
} from "@loopx/runtime-context/offline";
import { parseInputs } from "../../context/parse-inputs.ts";
import { findProjectFolder } from "../../context/project-place.ts";
import { renderFindings, renderLayers, renderOutcome } from "../../context/render-layers.ts";
import { createProviderClock } from "../../context/runtime-parts.ts";
import type { TextStyle } from "../../output/text-style.ts";
import { joinLines } from "../../packets/render-facts.ts";
import { unwrap } from "../../packets/unwrap.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Shows what a turn would select and render, with the fixtures of the project's tests and without a call. */
export const run: CommandHandler<"context preview"> = async ({ flags, globals, ambient }) => {
  const { objective, consumer, profile, input, test } = flags;
  const request = parseTurnRequest({ objective, consumer, profile, inputs: parseInputs(input) });
  const { project, files } = await loadContextProject(findProjectFolder(globals.project, ambient));
  const build = createBuild(project, files);
  const previewed = { project, build, preferredTest: test ?? null };
  const preview = unwrap(await previewTurn(previewed, request, createProviderClock(ambient)));
  return {
    packet: {
      ok: true,
      schema_version: "loopx_context_preview_v1",
      build: build.digest,
      evaluation: { providers: "FIXTURE" },
      ...toPreviewPacket(preview),
    },
    text: (style) => renderPreview(preview, style),
  };
};

function renderPreview({ evaluation: { result, ignoredInputs }, sources }: Preview, style: TextStyle): string {
  return joinLines(
    `${renderOutcome(result, style)}${style.dim("  a preview: nobody was asked, nothing is kept")}`,
    renderLayers(result, style),
    ...sources.map(({ provider, source, tests, warning }) =>
      warning === null
        ? `${style.cyan(source ?? "")}  ${provider}: as in the test ${tests[0]}`
        : `${style.yellow(warning.code)}  ${warning.says}`,
    ),
    renderFindings(result, ignoredInputs, style),
  );
}
