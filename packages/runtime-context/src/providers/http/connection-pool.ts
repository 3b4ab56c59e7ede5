// The only module that loads undici. It is imported lazily: a turn without an HTTP provider must not pay for it.
import { Client, Pool, type Dispatcher } from "undici";
import type { VettedConnector } from "./vetted-connector.ts";

/** One keep-alive connection, as far as an exchange has to know it. */
export interface Connection {
  /** Responses that came whole over the present socket. */
  answeredCount: number;
  /** Gives up a connection that is being made. */
  cancelConnect(): void;
}

export interface PooledRequest {
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: string;
  /** Told which connection takes the request, before it does. */
  readonly onAssigned: (connection: Connection) => void;
}

/** Connections to one provider's origin: no provider can ever answer another's request. */
export interface ConnectionPool {
  dispatch(request: PooledRequest, handler: Dispatcher.DispatchHandler): void;
  /** Closes every connection at once. */
  destroy(): Promise<void>;
}

type AssignedOptions = Dispatcher.DispatchOptions & Pick<PooledRequest, "onAssigned">;

const MAX_HEADER_BYTES = 8192;
/** Longer than the interval of readiness probes, which so keep a connection warm. */
const KEEP_ALIVE_MS = 60_000;

/** Opens a pool. Undici's own timers are off: there is one deadline, and it isn't moved by progress. */
export function openConnectionPool(origin: string, connect: VettedConnector, connections: number): ConnectionPool {
  const pool = new Pool(origin, { connections, factory: (clientOrigin) => openClient(clientOrigin, connect) });
  return {
    dispatch({ path, headers, body, onAssigned }, handler) {
      const options: AssignedOptions = { method: "POST", path, headers: [...headers], body, onAssigned };
      pool.dispatch(options, handler);
    },
    destroy: () => pool.destroy(),
  };
}

function openClient(origin: URL, connect: VettedConnector): Client {
  const connection: Connection = { answeredCount: 0, cancelConnect: () => undefined };
  const client = new Client(origin, {
    // No response may answer another request: one at a time on a connection.
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    connect: (_options, callback) => {
      connection.cancelConnect = connect((...outcome) => {
        connection.cancelConnect = () => undefined;
        connection.answeredCount = 0;
        callback(...outcome);
      });
    },
  });
  const dispatch = client.dispatch.bind(client);
  client.dispatch = (options, handler) => {
    if (isAssigned(options)) options.onAssigned(connection);
    return dispatch(options, handler);
  };
  return client;
}

function isAssigned(options: Dispatcher.DispatchOptions): options is AssignedOptions {
  return "onAssigned" in options;
}
