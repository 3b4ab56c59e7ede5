import { readdirSync } from "node:fs";
import type { Ambient } from "@loopx/contracts";
import { HOST_NAMES, INSTALL_HOSTS, type InstallHost } from "@loopx/host-commands";
import { findProgram } from "@loopx/store";
import type { LocateFile } from "./host-roots.ts";

/** What LoopX itself keeps in a host's home: its own home lies in Codex's, and skills are installed before a host is. */
const OURS = new Set(["loopx", "skills"]);

/** The hosts of this machine: their program is on PATH, or their home holds more than what LoopX put there. */
export function detectHosts(ambient: Pick<Ambient, "env">, locate: LocateFile): readonly InstallHost[] {
  return INSTALL_HOSTS.filter(
    (host) =>
      HOST_NAMES[host].programs.some((program) => findProgram(program, ambient.env["PATH"]) !== undefined) ||
      hasHome(locate({ scope: "user", root: host, path: "" }).boundary),
  );
}

function hasHome(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => !OURS.has(name));
  } catch {
    // Not there, or not ours to look into: then a host that is used would be on PATH.
    return false;
  }
}
