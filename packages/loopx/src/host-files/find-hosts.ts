import type { Ambient } from "@loopx/contracts";
import type { InstallHost } from "@loopx/host-commands";
import { detectHosts } from "./detect-hosts.ts";
import { createLocator } from "./host-roots.ts";

/** The hosts that are on this machine. Refuses with `home_missing`. */
export function findHosts(ambient: Ambient): readonly InstallHost[] {
  return detectHosts(ambient, createLocator(ambient, undefined));
}
