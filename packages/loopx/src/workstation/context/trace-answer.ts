import { LoopxError, type Ambient } from "@loopx/contracts";
import { createBuild } from "@loopx/runtime-context/offline";
import { reproduceTurn, type ContextBuild, type ContextTrace } from "@loopx/runtime-context";
import type { ContextTraceAnswer } from "@loopx/workstation/contract";
import { findPinnedBuild } from "../../context/build-place.ts";
import { explainUnavailable, toReproductionPacket } from "../../context/reproduction-packet.ts";
import { listBuildFolders, loadPlacedProject, type ContextPlace } from "./context-place.ts";
import { withPlacedTraces } from "./place-traces.ts";
import { readOutcome } from "./read-outcome.ts";

/**
 * A trace, found in the first place that has it. Refuses with `unknown_trace` where none has: a place whose traces can't be
 * read has none.
 */
export async function loadTraceAnswer(
  traceId: string,
  places: readonly ContextPlace[],
  ambient: Ambient,
): Promise<ContextTraceAnswer> {
  let fault: unknown;
  for (const place of places) {
    if (place.traces === null) continue;
    try {
      const trace = await withPlacedTraces(place, ambient, (traces) => traces.find(traceId));
      if (trace !== undefined) return { ok: true, place: place.id, reading: readOutcome(trace), trace };
    } catch (error) {
      fault ??= error;
    }
  }
  // Of one place alone its own fault says more.
  if (fault !== undefined && places.length === 1) throw fault;
  throw toUnknownTrace();
}

/** Carries out a recorded turn again from what was kept. Nothing here can ask a provider. */
export async function answerReproduction(traceId: string, place: ContextPlace, ambient: Ambient): Promise<object> {
  const reproduction = await withPlacedTraces(place, ambient, async (traces, keyed) => {
    const recorded = await traces.findRecorded(traceId);
    if (recorded === undefined) throw toUnknownTrace();
    const findBuild = (digest: string) => findBuildOf(place, digest, ambient);
    return reproduceTurn(recorded, { ...keyed, now: ambient.now(), findBuild });
  });
  const packet = toReproductionPacket(traceId, reproduction, false);
  return "reason" in reproduction ? { ...packet, says: sayReason(reproduction.reason) } : packet;
}

/** The words of the command line name its flags, which the page has none of. */
function sayReason(reason: Parameters<typeof explainUnavailable>[0]): string {
  if (reason === "build_missing") return "no whole build of the digest in the trace stands in or beside the project";
  if (reason === "binding_missing") return "the binding is not the one that the turn was carried out with";
  return explainUnavailable(reason);
}

/** The project as it is now, if it makes this build, else one of the builds that stand in or beside it. */
async function findBuildOf(
  place: ContextPlace,
  digest: ContextTrace["buildDigest"],
  ambient: Ambient,
): Promise<ContextBuild | undefined> {
  for (const folder of listBuildFolders(place)) {
    const found = await findPinnedBuild(folder, digest, ambient);
    if (found !== undefined) return found;
  }
  const { project, files } = await loadPlacedProject(place);
  const working = createBuild(project, files);
  return working.digest === digest ? working : undefined;
}

function toUnknownTrace(): LoopxError {
  return new LoopxError("unknown_trace", {
    message: "no trace store that the Workstation knows has a trace of this id",
    hint: "search for it on the traces page of its project",
  });
}
