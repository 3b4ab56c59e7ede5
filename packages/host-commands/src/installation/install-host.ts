import { HOOK_CONTRACTS, type HookHost } from "../hooks/hook-host.ts";
import { parseHostSurface } from "../surfaces/parse-host-surface.ts";
import { surfaceOf, type HostSurface } from "../surfaces/surface.ts";

/** A host that LoopX installs into; the surfaces of Codex share one home. */
export type InstallHost = HookHost | "opencode";

/** Every such host, in the order in which they are installed: what a later one also reads is there before it. */
export const INSTALL_HOSTS: readonly InstallHost[] = ["codex", "claude-code", "opencode", "cursor", "gemini"];

/** The programs by which a host is found on PATH, and its name for people. */
export const HOST_NAMES: Readonly<
  Record<InstallHost, { readonly label: string; readonly programs: readonly string[] }>
> = {
  codex: { label: "Codex", programs: ["codex"] },
  "claude-code": { label: "Claude Code", programs: ["claude"] },
  opencode: { label: "OpenCode", programs: ["opencode"] },
  cursor: { label: "Cursor", programs: ["cursor-agent", "cursor"] },
  gemini: { label: "Gemini CLI", programs: ["gemini"] },
};

/** What `--surface` takes: all hosts, a host, or a surface of one. */
export type InstallSurface = "all" | "codex-cli" | InstallHost | Exclude<HostSurface, "shell" | "other-agent">;

/** The hosts that were asked for, and the exact Codex surface where one was. */
export interface RequestedHosts {
  readonly hosts: readonly InstallHost[];
  /** Codex's hook doesn't tell which Codex calls it: without an exact surface a start asks. */
  readonly codexSurface: HostSurface | undefined;
}

/** Reads the `--surface` values. Of several Codex surfaces none is exact: they share one hook. */
export function readRequestedHosts(asked: readonly InstallSurface[]): RequestedHosts {
  const surfaces = asked.map(toSurface);
  const wanted = new Set(surfaces.flatMap((surface) => (surface === "all" ? INSTALL_HOSTS : [toInstallHost(surface)])));
  const [codexSurface, ...others] = new Set(surfaces.filter((surface) => surface.startsWith("codex-")));
  return {
    hosts: INSTALL_HOSTS.filter((host) => wanted.has(host)),
    codexSurface: codexSurface !== undefined && others.length === 0 ? parseHostSurface(codexSurface) : undefined,
  };
}

/** `codex-cli` is the agent type of this surface, and what people call it. */
function toSurface(asked: InstallSurface): Exclude<InstallSurface, "codex-cli"> {
  return asked === "codex-cli" ? "codex-cli-tui" : asked;
}

function toInstallHost(surface: InstallSurface): InstallHost {
  const family = INSTALL_HOSTS.find((host) => host === surface) ?? surfaceOf(parseHostSurface(surface)).family;
  const host = INSTALL_HOSTS.find((each) => each === family);
  if (host === undefined) throw new RangeError(`no host has the surface ${surface}`);
  return host;
}

/** The surfaces of a host, as `--host-surface` names them. */
export function surfacesOf(host: InstallHost): readonly [HostSurface, ...HostSurface[]] {
  return host === "opencode" ? ["opencode"] : HOOK_CONTRACTS[host].surfaces;
}
