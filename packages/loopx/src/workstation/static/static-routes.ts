import { LoopxError } from "@loopx/contracts";
import type { Hono } from "hono";
import { respond } from "../security/respond.ts";
import type { PageFiles } from "./page-files.ts";

/** Serves the page. Each address that is no file is a screen of it, so it can be opened and reloaded. */
export function addStaticRoutes(app: Hono, files: PageFiles): void {
  app.get("*", ({ req }) => {
    const isFile = req.path.startsWith("/assets/");
    const file = files.get(req.path) ?? (isFile ? undefined : files.get("/"));
    if (file === undefined) throw new LoopxError("unknown_route", { message: "the Workstation has no such file" });
    const keeping = file.isLasting ? { "cache-control": "private, max-age=31536000, immutable" } : {};
    return respond(file.bytes, { headers: { "content-type": file.type, ...keeping } });
  });
}
