import type { Hono } from "hono";
import type { WorkstationWorld } from "../workstation-world.ts";

/** What the screen goal shows. */
export function addGoalRoutes(_app: Hono, _world: WorkstationWorld): void {}
