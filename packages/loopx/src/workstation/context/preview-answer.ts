import type { Ambient } from "@loopx/contracts";
import { createBuild, parseTurnRequest, previewTurn, toPreviewPacket } from "@loopx/runtime-context/offline";
import { createProviderClock } from "../../context/runtime-parts.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { loadPlacedProject, type ContextPlace } from "./context-place.ts";
import { markFences } from "./mark-fences.ts";

/** What somebody wants to see before a turn asks for it: the body of a request, unchecked. */
export interface AskedPreview {
  readonly test: string | null;
  /** All but the test: `parseTurnRequest` checks it. */
  readonly request: object;
}

/**
 * What a turn would select and render, with the fixtures of the project's tests by lookup value. Nobody is asked, nothing is
 * kept. Refuses as `context preview` does.
 */
export async function answerPreview(place: ContextPlace, asked: AskedPreview, ambient: Ambient): Promise<object> {
  const request = parseTurnRequest(asked.request);
  const { project, files } = await loadPlacedProject(place);
  const previewed = { project, build: createBuild(project, files), preferredTest: asked.test };
  const preview = unwrap(await previewTurn(previewed, request, createProviderClock(ambient)));
  const { rendered } = preview.evaluation.result;
  return { ok: true, ...toPreviewPacket(preview), rendered: undefined, segments: markFences(rendered) };
}
