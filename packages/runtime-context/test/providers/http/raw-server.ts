import { createServer, type AddressInfo, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface RawServer {
  readonly url: string;
  /** Every request, head and body, as it came. */
  readonly requests: readonly string[];
  /** Settles when every connection made so far is closed. */
  whenClosed(): Promise<void>;
  readonly connectionCount: () => number;
}

/** What a server does with the n-th request of all, counted from 0. */
export type Misbehaviour = (socket: Socket, index: number) => void;

/** A server on loopback that writes whatever bytes it is told to. */
export async function startRawServer(respond: Misbehaviour): Promise<RawServer> {
  const requests: string[] = [];
  const closings: Promise<void>[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    closings.push(new Promise((resolve) => socket.once("close", () => resolve())));
    socket.on("error", () => undefined);
    let received = "";
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      received += chunk;
      const end = endOfRequest(received);
      if (end === undefined) return;
      requests.push(received.slice(0, end));
      received = received.slice(end);
      respond(socket, requests.length - 1);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/lookup`,
    requests,
    whenClosed: async () => void (await Promise.all(closings)),
    connectionCount: () => closings.length,
  };
}

function endOfRequest(received: string): number | undefined {
  const head = received.indexOf("\r\n\r\n");
  if (head === -1) return undefined;
  const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
  return received.length >= head + 4 + length ? head + 4 + length : undefined;
}
