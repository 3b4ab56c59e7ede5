import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** What becomes of the next COMMIT of a write that a client sends. In every case the client loses its connection over it. */
export type CommitFate =
  /** The server gets it, and its answer is lost. */
  | "kept"
  /** The server never gets it, and notices at once. */
  | "lost"
  /** The server gets it later, with `deliverLate`. */
  | "late";

/** A way to a PostgreSQL server that can be cut. */
export interface PostgresProxy {
  /** The server's URL by this way. */
  readonly url: string;
  /** Ends every connection, and every one that comes until `mend`. */
  cut(): void;
  /** Keeps connections and carries nothing, as a network that drops packets, until `mend`. */
  silence(): void;
  mend(): void;
  meetNextCommit(fate: CommitFate): void;
  deliverLate(): void;
  /** How many connections have come. */
  readonly connectionCount: number;
  close(): Promise<void>;
}

const COMMIT = Buffer.from("COMMIT\0");

/** Starts a proxy to the server of a URL on a free port of loopback. */
export async function startPostgresProxy(serverUrl: string): Promise<PostgresProxy> {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let isCut = false;
  let isSilent = false;
  let fate: CommitFate | undefined;
  let deliver: (() => void) | undefined;
  let connectionCount = 0;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    connectionCount += 1;
    keep(client);
    if (isCut) return void client.destroy();
    const upstream = connect(Number(port), hostname);
    keep(upstream);
    let isLeft = false;
    let isWriting = false;
    const meet = (bytes: Buffer, met: CommitFate): void => {
      isLeft = true;
      fate = undefined;
      if (met === "lost") upstream.destroy();
      if (met === "late") {
        deliver = () => void upstream.write(bytes, () => upstream.end());
        client.destroy();
      }
      if (met === "kept") {
        upstream.once("data", () => client.destroy());
        upstream.write(bytes);
      }
    };
    client.on("data", (bytes) => {
      if (isSilent) return;
      if (bytes.includes("BEGIN")) isWriting = bytes.includes("READ WRITE");
      const now = isWriting && fate !== undefined && bytes.includes(COMMIT) ? fate : undefined;
      if (now === undefined) upstream.write(bytes);
      else meet(bytes, now);
    });
    upstream.on("data", (bytes) => isLeft || isSilent || client.write(bytes));
    client.on("close", () => isLeft || upstream.destroy());
    upstream.on("close", () => client.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = new URL(serverUrl);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server that listens on TCP has a port
  url.port = String((server.address() as AddressInfo).port);
  const endAll = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    url: url.href,
    cut: () => {
      isCut = true;
      endAll();
    },
    silence: () => {
      isSilent = true;
    },
    mend: () => {
      isCut = false;
      isSilent = false;
    },
    meetNextCommit: (next) => {
      fate = next;
    },
    deliverLate: () => deliver?.(),
    get connectionCount() {
      return connectionCount;
    },
    close: () => {
      endAll();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
