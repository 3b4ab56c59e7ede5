import type { Hono } from "hono";
import type { WorkstationWorld } from "../workstation-world.ts";

/** What the screen recall shows. */
export function addRecallRoutes(_app: Hono, _world: WorkstationWorld): void {}
