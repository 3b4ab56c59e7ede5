import type { AddressInfo } from "node:net";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import { LoopxError, toErrorPacket } from "@loopx/contracts";
import type { Hono } from "hono";

export interface RunningServer {
  readonly url: string;
  /** Takes no new connection, waits for the requests under way, at most this long, then ends what is left. */
  stop(graceMs: number): Promise<void>;
}

/** Milliseconds that a client may take: for a request, for its headers, and between two. */
export interface ConnectionLimits {
  readonly requestTimeout: number;
  readonly headersTimeout: number;
  readonly keepAliveTimeout: number;
}

/** Node's defaults let a slow client hold a connection for minutes (facts 3.2). */
const LIMITS: ConnectionLimits = { requestTimeout: 15_000, headersTimeout: 10_000, keepAliveTimeout: 5_000 };
/** Node looks for requests that are over their time every thirty seconds unless told otherwise. */
const CHECKS_A_LIMIT = 10;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 1_024;
const IDLE_CHECK_MS = 50;
const MAX_REQUESTS_PER_CONNECTION = 1_000;

/** Serves the API. `port` 0 takes a free one. Refuses with `invalid_value` where it cannot listen. */
export async function startServer(
  api: Hono,
  at: { readonly hostname: string; readonly port: number },
  limits: ConnectionLimits = LIMITS,
): Promise<RunningServer> {
  const server = await listen(api, at, limits);
  server.maxConnections = MAX_CONNECTIONS;
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_CONNECTION;
  const { port } = server.address() as AddressInfo;
  const host = at.hostname.includes(":") ? `[${at.hostname}]` : at.hostname;
  return { url: `http://${host}:${port}`, stop: (graceMs) => stop(server, graceMs) };
}

async function listen(
  api: Hono,
  { hostname, port }: { readonly hostname: string; readonly port: number },
  limits: ConnectionLimits,
): Promise<Server> {
  return new Promise((resolve, reject) => {
    const connectionsCheckingInterval = Math.ceil(limits.headersTimeout / CHECKS_A_LIMIT);
    const options = { ...limits, connectionsCheckingInterval, maxHeaderSize: MAX_HEADER_BYTES };
    const answer = getRequestListener(api.fetch, { hostname, errorHandler: answerUnreadable });
    const server = createServer(options, (request, response) => {
      const repeated = findRepeatedHeader(request.rawHeaders);
      if (repeated === undefined) void answer(request, response);
      else answerAndClose(request, response, toRepeatedError(repeated));
    });
    server.on("checkExpectation", answerExpectation);
    server.once("listening", () => resolve(server));
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        new LoopxError("invalid_value", {
          message: `the server cannot listen on port ${port} (${error.code ?? "unknown"})`,
          hint: "choose another with --port=N; 0 takes a free one",
          details: { field: "port" },
          cause: error,
        }),
      ),
    );
    server.listen(port, hostname);
  });
}

/** What never reached a route: a request whose host or target makes no URL, or a fault of the listener itself. */
function answerUnreadable(error: unknown): Response {
  if (!(error instanceof RequestError)) return Response.json(toErrorPacket(error), { status: 500 });
  const refused = new LoopxError("invalid_value", {
    message: "the request's host and target make no URL of this server",
  });
  return Response.json(toErrorPacket(refused), { status: refused.httpStatus });
}

/** Of these Node takes the first and a proxy before us may take the last (RFC 9112, 3.2, on Host). */
const SINGLE_HEADERS: ReadonlySet<string> = new Set(["host", "authorization", "content-type"]);

/** `rawHeaders` are names and values in turn. */
function findRepeatedHeader(rawHeaders: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? "";
    if (!SINGLE_HEADERS.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

function toRepeatedError(field: string): LoopxError {
  return new LoopxError("invalid_value", { message: `the header ${field} is there twice`, details: { field } });
}

function answerExpectation(request: IncomingMessage, response: ServerResponse): void {
  const refused = new LoopxError("invalid_value", {
    message: "the only expectation taken is 100-continue",
    details: { field: "expect" },
  });
  answerAndClose(request, response, refused, 417);
}

function answerAndClose(
  request: IncomingMessage,
  response: ServerResponse,
  refused: LoopxError,
  status = refused.httpStatus,
): void {
  response.writeHead(status, { "content-type": "application/json", connection: "close" });
  response.end(JSON.stringify(toErrorPacket(refused)));
  request.resume();
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
