import type { IncomingMessage, ServerResponse } from "node:http";

/** The handler for `createServer` of `node:http`. Any other server takes the handler as it is. */
export function toNodeListener(
  handle: (request: Request) => Promise<Response>,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  return (incoming, outgoing) => {
    void answer(handle, incoming, outgoing).catch(() => outgoing.destroy());
  };
}

async function answer(
  handle: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const response = await handle(toRequest(incoming, gone.signal));
  const body = new Uint8Array(await response.arrayBuffer());
  outgoing.writeHead(response.status, { ...Object.fromEntries(response.headers), "content-length": body.length });
  outgoing.end(body);
  // What is left of a body that nobody reads would come before the next request.
  if (!incoming.complete) outgoing.once("finish", () => incoming.destroy());
}

function toRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const method = incoming.method ?? "GET";
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (typeof value === "string") headers.set(name, value);
  }
  const hasBody = method !== "GET" && method !== "HEAD";
  // The path is whatever this server was mounted at: the contract has one place only.
  const options = {
    method,
    headers,
    signal,
    ...(hasBody ? { body: toStream(incoming), duplex: "half" as const } : {}),
  };
  return new Request(new URL(incoming.url ?? "/", "http://provider.invalid"), options);
}

function toStream(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = incoming[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
  });
}
