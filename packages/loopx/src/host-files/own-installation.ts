import { VERSION } from "../version.ts";
import type { InstallationRequest } from "./install-hosts.ts";

/** What of an installation follows from the LoopX that runs: its files and its version. */
export function describeOwnInstallation(): Pick<InstallationRequest, "running" | "version"> {
  return {
    running: { node: process.execPath, script: process.argv[1] ?? "" },
    version: VERSION,
  };
}
