import { addMs, parseInstant } from "@loopx/contracts";
import type { Hono } from "hono";
import { loadAsks, loadGoals, loadOverview } from "../overview/load-overview.ts";
import { renderDocument } from "../render-document.ts";
import type { WorkstationWorld } from "../workstation-world.ts";

/** What was new to somebody who was never here. */
const DAY_MS = 86_400_000;

/** What the screen overview shows. */
export function addOverviewRoutes(app: Hono, world: WorkstationWorld): void {
  app.get("/api/overview", async ({ req }) => {
    const since = req.query("since");
    const from = since === undefined ? addMs(world.ambient.now(), -DAY_MS) : parseInstant(since, "since");
    return renderDocument(await loadOverview(from, world));
  });
  app.get("/api/overview/asks", async ({ req }) => renderDocument(await loadAsks(req.query("cursor") ?? "", world)));
  app.get("/api/overview/goals", async ({ req }) => renderDocument(await loadGoals(req.query("cursor") ?? "", world)));
}
