import { LoopxError, type Ambient } from "@loopx/contracts";
import { openDeployment, Readiness } from "@loopx/runtime-context";
import { createBuild } from "@loopx/runtime-context/offline";
import { loadBinding } from "../../context/binding-place.ts";
import { toReadinessPacket } from "../../context/readiness-packet.ts";
import { createProviderClock, SQLITE_CHILD } from "../../context/runtime-parts.ts";
import { loadPlacedProject, type ContextPlace } from "./context-place.ts";

/** Asks each provider of a place to describe itself, with the credential and limits that turns use. */
export async function answerDescribe(place: ContextPlace, ambient: Ambient): Promise<object> {
  if (place.binding === null) {
    throw new LoopxError("missing_flag", {
      message: "the Workstation knows no binding of this project, so nobody can be asked",
      hint: "name one at start: loopx workstation --context-project=<folder> --binding=<binding>",
    });
  }
  const { project, files } = await loadPlacedProject(place);
  const binding = await loadBinding(place.binding, ambient);
  const clock = createProviderClock(ambient);
  const parts = { env: ambient.env, clock, sqliteChild: SQLITE_CHILD };
  const deployment = openDeployment(createBuild(project, files), binding, parts);
  try {
    return toReadinessPacket(await new Readiness(clock).check(deployment));
  } finally {
    await deployment.close();
  }
}
