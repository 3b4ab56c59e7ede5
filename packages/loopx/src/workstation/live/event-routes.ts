import type { ChangeNotice, HelloNotice } from "@loopx/workstation/contract";
import type { Hono } from "hono";
import { respond } from "../security/respond.ts";
import type { WorkstationWorld } from "../workstation-world.ts";

/** What keeps proxies and browsers from taking a quiet stream for a dead one. */
const HEARTBEAT_MS = 15_000;
/** A page that reads nothing for so many events is gone; a page that isn't opens another stream. */
const MOST_UNREAD = 256;

/** The stream of changes (server-sent events): `hello` first, then `change` with the topics. It ends with the server. */
export function addEventRoutes(app: Hono, world: EventWorld): void {
  app.get("/api/events", ({ req }) => {
    const headers = { "content-type": "text/event-stream" };
    // Nobody reads a body of it, and so nobody's going away would end it.
    if (req.method === "HEAD") return respond("", { headers });
    const stream = new ReadableStream<Uint8Array>({ start: (controller) => follow(controller, req.raw.signal, world) });
    return respond(stream, { headers });
  });
}

type EventWorld = Pick<WorkstationWorld, "changes" | "onStop" | "serverId">;

function follow(
  controller: ReadableStreamDefaultController<Uint8Array>,
  gone: AbortSignal,
  { changes, onStop, serverId }: EventWorld,
): void {
  const text = new TextEncoder();
  const endings: (() => void)[] = [];
  const end = (): void => {
    if (endings.length === 0) return;
    for (const each of endings.splice(0)) each();
    // A reader that is gone has closed it already.
    if (!gone.aborted) controller.close();
  };
  const send = (lines: string): void => {
    if ((controller.desiredSize ?? 0) < -MOST_UNREAD) end();
    else controller.enqueue(text.encode(lines));
  };
  const beating = setInterval(() => send(": still here\n\n"), HEARTBEAT_MS);
  endings.push(
    () => clearInterval(beating),
    changes.listen((topics) => send(renderEvent("change", { topics } satisfies ChangeNotice))),
    onStop(end),
  );
  gone.addEventListener("abort", end);
  send(renderEvent("hello", { server_id: serverId } satisfies HelloNotice));
}

function renderEvent(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
