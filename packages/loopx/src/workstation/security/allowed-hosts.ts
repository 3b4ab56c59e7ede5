import { isLoopback } from "../../context/loopback.ts";

/** The values of `Host` that are this server's: nobody else's name, whatever address it leads to. */
export function listAllowedHosts(hostname: string, port: number): ReadonlySet<string> {
  const names = isLoopback(hostname) ? ["127.0.0.1", "localhost", hostname] : [hostname];
  return new Set(names.map((name) => `${name.includes(":") ? `[${name}]` : name.toLowerCase()}:${port}`));
}
