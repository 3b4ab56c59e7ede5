import type { AddressInfo } from "node:net";
import type { Server } from "node:http";
import { serve } from "@hono/node-server";
import { LoopxError } from "@loopx/contracts";
import type { Hono } from "hono";

export interface RunningServer {
  readonly url: string;
  /** Takes no new connection, waits for the requests under way, at most this long, then ends what is left. */
  stop(graceMs: number): Promise<void>;
}

/** Node's defaults let a slow client hold a connection for minutes (facts 3.2). */
const LIMITS = { requestTimeout: 15_000, headersTimeout: 10_000, keepAliveTimeout: 5_000 } as const;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 1_024;
const IDLE_CHECK_MS = 50;
const MAX_REQUESTS_PER_CONNECTION = 1_000;

/** Serves the API. `port` 0 takes a free one. Refuses with `invalid_value` where it cannot listen. */
export async function startServer(
  api: Hono,
  at: { readonly hostname: string; readonly port: number },
): Promise<RunningServer> {
  const server = await listen(api, at);
  server.maxConnections = MAX_CONNECTIONS;
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_CONNECTION;
  const { port } = server.address() as AddressInfo;
  const host = at.hostname.includes(":") ? `[${at.hostname}]` : at.hostname;
  return { url: `http://${host}:${port}`, stop: (graceMs) => stop(server, graceMs) };
}

async function listen(api: Hono, { hostname, port }: { hostname: string; port: number }): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = serve({
      fetch: api.fetch,
      hostname,
      port,
      serverOptions: { ...LIMITS, maxHeaderSize: MAX_HEADER_BYTES },
    }) as Server;
    server.once("listening", () => resolve(server));
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        new LoopxError("invalid_value", {
          message: `the runtime cannot listen on port ${port} (${error.code ?? "unknown"})`,
          hint: "choose another with --port=N; 0 takes a free one",
          details: { field: "port" },
          cause: error,
        }),
      ),
    );
  });
}

async function stop(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  // A connection whose request ends while we wait stays open for the next one otherwise.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
  clearInterval(idle);
}
