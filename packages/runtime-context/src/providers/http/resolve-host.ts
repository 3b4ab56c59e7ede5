import { lookup } from "node:dns/promises";

/** Every address the system's resolver has for a host name. */
export async function resolveHost(hostname: string): Promise<readonly string[]> {
  const entries = await lookup(hostname, { all: true });
  return entries.map(({ address }) => address);
}
