import { isLoopxError } from "@loopx/contracts";

/** In the details of an error: the connection went while the server committed, so the write was kept or it wasn't. */
export const UNKNOWN_END = { committed: "unknown" } as const;

/**
 * Whether an error says that the connection to a server is gone.
 *
 * Nothing of the write was kept then, unless it was lost while it committed. Who does it again looks first, in the same
 * transaction, whether it is there: the write lock that it waits for ends with the one before.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!isLoopxError(error)) return false;
  return error.code === "store_unreachable" || error.details?.["committed"] === UNKNOWN_END.committed;
}
