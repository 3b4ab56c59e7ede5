/** Names of one machine for itself: a page that is opened under one may be asked for under another. */
const OWN_NAMES: Readonly<Record<string, readonly string[]>> = {
  "127.0.0.1": ["localhost"],
  "::1": ["localhost"],
  localhost: ["127.0.0.1", "::1"],
};

/**
 * The values of `Host` that are this server's: nobody else's name, whatever address it leads to. The first is of the address
 * where it listens: at any other another program may listen on this port.
 */
export function listAllowedHosts(hostname: string, port: number): ReadonlySet<string> {
  return new Set([hostname, ...(OWN_NAMES[hostname] ?? [])].map((name) => toHost(name, port)));
}

/** As a browser writes it: without the port that goes without saying. */
function toHost(name: string, port: number): string {
  return new URL(`http://${name.includes(":") ? `[${name}]` : name}:${port}`).host;
}
