import { isLoopxError, type Ambient } from "@loopx/contracts";
import { describeStanding, HOST_NAMES, isDrift, type InstallHost, type InstallRow } from "@loopx/host-commands";
import { installHosts } from "../../host-files/install-hosts.ts";
import { describeOwnInstallation } from "../../host-files/own-installation.ts";
import { printRepair } from "../host/slash-commands.ts";
import type { DoctorCheck } from "./doctor-check.ts";

/** How LoopX stands in each host of this machine, by the code of `slash-commands --check`. Writes nothing. */
export async function checkHosts(ambient: Ambient): Promise<readonly DoctorCheck[]> {
  try {
    const { hosts, rows } = await installHosts({
      operation: "check",
      isDryRun: false,
      scope: "user",
      requested: undefined,
      projectRoot: undefined,
      ambient,
      ...describeOwnInstallation(),
    });
    return hosts.map((host) =>
      checkInstallation(
        host,
        rows.filter((row) => row.host === host),
      ),
    );
  } catch (error) {
    if (!isLoopxError(error)) throw error;
    return [{ name: "hosts", state: "warning", found: error.message }];
  }
}

function checkInstallation(host: InstallHost, rows: readonly InstallRow[]): DoctorCheck {
  const name = HOST_NAMES[host].label;
  const drifted = rows.filter(({ status }) => isDrift(status));
  if (drifted.length === 0) return { name, state: "ok", found: findOnlyCopy(rows) ?? describeStanding(rows) };
  const isMendable = drifted.some(({ reason }) => reason === undefined);
  const isAbsent = rows.every(
    ({ status }) => status === "missing" || status === "shadowed" || status === "left_to_host",
  );
  return {
    name,
    state: "warning",
    found: isAbsent ? "LoopX is not installed in it" : describeStanding(drifted),
    ...(isMendable && { remedy: printRepair(drifted, "user") }),
  };
}

/** Where everything comes from, where that is one place: a plugin of LoopX's own. */
function findOnlyCopy(rows: readonly InstallRow[]): string | undefined {
  const [copy, ...others] = new Set(rows.map(({ shadowedBy }) => shadowedBy));
  return copy === undefined || others.length > 0 ? undefined : `LoopX comes by ${copy}`;
}
