import type { Hono } from "hono";
import type { WorkstationWorld } from "../workstation-world.ts";

/** What the screen context shows. */
export function addContextRoutes(_app: Hono, _world: WorkstationWorld): void {}
