import { isIP } from "node:net";

/** Where servers listen unless told otherwise: this machine alone. */
export const DEFAULT_HOST = "127.0.0.1";

/** Whether only this machine reaches an address. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "::1" || (isIP(hostname) === 4 && hostname.startsWith("127."));
}
