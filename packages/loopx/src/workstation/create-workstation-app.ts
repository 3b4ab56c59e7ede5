import { LoopxError } from "@loopx/contracts";
import { Hono } from "hono";
import { addEventRoutes } from "./live/event-routes.ts";
import { renderFault } from "./render-document.ts";
import { addContextRoutes } from "./routes/context-routes.ts";
import { addGoalRoutes } from "./routes/goal-routes.ts";
import { addOverviewRoutes } from "./routes/overview-routes.ts";
import { addRecallRoutes } from "./routes/recall-routes.ts";
import { addSessionRoutes } from "./routes/session-routes.ts";
import type { Guard } from "./security/guard.ts";
import { addStaticRoutes } from "./static/static-routes.ts";
import type { PageFiles } from "./static/page-files.ts";
import type { WorkstationWorld } from "./workstation-world.ts";

export interface WorkstationParts {
  readonly world: WorkstationWorld;
  /** Known once the server listens, since its port is part of who may talk to it. */
  readonly findGuard: () => Guard | undefined;
  readonly files: PageFiles;
}

/** The page and its API. Whatever isn't the page itself or the way in is for a browser that was let in. */
export function createWorkstationApp({ world, findGuard, files }: WorkstationParts): Hono {
  const app = new Hono();
  const guard = (): Guard => {
    const found = findGuard();
    if (found === undefined)
      throw new LoopxError("runtime_not_ready", { message: "the Workstation is starting", hint: "ask again" });
    return found;
  };
  app.use(({ req }, next) => {
    guard().assertOwnPage(req.raw, req.path);
    return next();
  });
  app.use("/api/*", ({ req }, next) => {
    if (!OPEN_TO_ALL.has(`${req.method} ${req.path}`)) guard().assertSignedIn(req.raw);
    return next();
  });
  addSessionRoutes(app, world, guard);
  addEventRoutes(app, world);
  addOverviewRoutes(app, world);
  addGoalRoutes(app, world);
  addContextRoutes(app, world);
  addRecallRoutes(app, world);
  app.all("/api/*", () => renderFault(NO_ROUTE));
  addStaticRoutes(app, files);
  app.notFound(() => renderFault(NO_ROUTE));
  app.onError((error) => renderFault(error));
  return app;
}

/** The way in, and which server this is. */
const OPEN_TO_ALL = new Set(["POST /api/session", "GET /api/server"]);

const NO_ROUTE = new LoopxError("unknown_route", { message: "the Workstation has no such route" });
