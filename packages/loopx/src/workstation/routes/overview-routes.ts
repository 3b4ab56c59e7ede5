import type { Hono } from "hono";
import type { WorkstationWorld } from "../workstation-world.ts";

/** What the screen overview shows. */
export function addOverviewRoutes(_app: Hono, _world: WorkstationWorld): void {}
