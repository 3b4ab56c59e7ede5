import type { SessionAnswer, SessionRequest } from "@loopx/workstation/contract";
import { LoopxError } from "@loopx/contracts";
import type { Hono } from "hono";
import { renderDocument } from "../render-document.ts";
import { readBody } from "../read-body.ts";
import type { Guard } from "../security/guard.ts";
import type { WorkstationWorld } from "../workstation-world.ts";
import { VERSION } from "../../version.ts";

/** Lets a browser in, and tells one that is in what it may do. */
export function addSessionRoutes(app: Hono, world: WorkstationWorld, guard: () => Guard): void {
  app.get("/api/session", () => renderDocument(toAnswer(world)));
  app.post("/api/session", async ({ req }) => {
    const { token, credential } = parseRequest(await readBody(req.raw));
    const cookie = guard().signIn(token, credential);
    return renderDocument(toAnswer(world), { headers: { "set-cookie": cookie } });
  });
}

function toAnswer({ serverId, standing }: WorkstationWorld): SessionAnswer {
  return {
    ok: true,
    version: VERSION,
    server_id: serverId,
    may_decide: standing.mayDecide,
    why_not: standing.mayDecide ? null : standing.whyNot,
  };
}

function parseRequest(body: Readonly<Record<string, unknown>>): SessionRequest {
  const { token, credential } = body;
  if (typeof token !== "string" || (credential !== undefined && typeof credential !== "string")) {
    throw new LoopxError("invalid_value", {
      message: "the request is an object with the text token, and credential where the server has one",
      details: { field: "token" },
    });
  }
  return credential === undefined ? { token } : { token, credential };
}
