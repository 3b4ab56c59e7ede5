import type { Ambient } from "@loopx/contracts";
import {
  INSTALL_HOSTS,
  loadInstaller,
  type InstallHost,
  type InstallOperation,
  type InstallRow,
  type InstallScope,
  type RequestedHosts,
} from "@loopx/host-commands";
import { applyPlan } from "./apply-plan.ts";
import { detectHosts } from "./detect-hosts.ts";
import { lookForPlugins } from "./host-plugins.ts";
import { createLocator } from "./host-roots.ts";
import { findOwnProgram, type RunningFiles } from "./own-program.ts";

/** What is installed, removed or looked at, and for which LoopX. */
export interface InstallationRequest {
  readonly operation: InstallOperation;
  readonly isDryRun: boolean;
  readonly scope: InstallScope;
  /** Without one: the hosts of this machine. */
  readonly requested: RequestedHosts | undefined;
  readonly projectRoot: string | undefined;
  readonly ambient: Pick<Ambient, "env" | "cwd">;
  readonly running: RunningFiles;
  readonly version: string;
}

export interface Installation {
  /** The hosts that are present or were asked for. */
  readonly hosts: readonly InstallHost[];
  readonly rows: readonly InstallRow[];
}

/** Codex and Claude Code get their skills in any case (seed 003, "Userland Registration Fallback"). */
const ALWAYS: readonly InstallHost[] = ["codex", "claude-code"];

/**
 * Installs, removes or checks what LoopX keeps in hosts. A removal looks everywhere unless hosts are named.
 *
 * Refuses with `home_missing`, `store_full`; whatever else can't be done is a row that says so.
 */
export async function installHosts(request: InstallationRequest): Promise<Installation> {
  const { operation, isDryRun, scope, ambient, requested } = request;
  const locate = createLocator(ambient, request.projectRoot);
  const hosts = findHosts(request, () => detectHosts(ambient, locate));
  const skillsOnly = requested === undefined && operation !== "uninstall" ? ALWAYS : [];
  const plan = {
    scope,
    version: request.version,
    ...findOwnProgram(scope, ambient.env, request.running),
    codexSurface: requested?.codexSurface,
  };
  const installer = await loadInstaller();
  const targets = INSTALL_HOSTS.flatMap((host) => {
    if (hosts.includes(host)) return installer.planInstallation(host, plan, "all");
    return skillsOnly.includes(host) ? installer.planInstallation(host, plan, "skills") : [];
  });
  const findPlugin = lookForPlugins(scope, locate, installer);
  return { hosts, rows: await applyPlan(targets, { operation, isDryRun, locate, installer, findPlugin }) };
}

function findHosts(
  { requested, operation }: InstallationRequest,
  detect: () => readonly InstallHost[],
): readonly InstallHost[] {
  if (requested !== undefined) return requested.hosts;
  return operation === "uninstall" ? INSTALL_HOSTS : detect();
}
