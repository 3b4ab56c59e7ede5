import type { MarkedHost } from "../host-markers.ts";

/** How the loop that wakes the agent comes to be on a surface. */
export type ActivationMethod =
  | "create_or_update_codex_app_automation"
  | "set_visible_goal"
  | "run_native_loop"
  | "run_agent_cli_loop_gated_by_quota"
  | "external_loop_driver";

/** One place where an agent runs, as `--host-surface` names it and thread bindings are keyed by. */
export interface Surface {
  readonly hostSurface: string;
  /** Surfaces of one family share a thread id space: a deep link is looked up in all of them. */
  readonly family: "codex" | "claude-code" | "opencode" | "cursor" | "gemini" | "shell" | "other";
  readonly agentType: string;
  readonly activationMethod: ActivationMethod;
  /** True where the thread id comes from CODEX_THREAD_ID when `--thread-id` is left out. */
  readonly readsCodexThreadId: boolean;
  /** A few words for the person or agent that has to pick. */
  readonly description: string;
  /** The host whose environment markers are seen here, where it sets any. */
  readonly markerHost: MarkedHost | undefined;
}

/** Every surface, in the order in which a gate offers them. */
export const SURFACES = [
  {
    hostSurface: "codex-app",
    family: "codex",
    agentType: "codex-app",
    activationMethod: "create_or_update_codex_app_automation",
    readsCodexThreadId: true,
    description: "Codex desktop app",
    markerHost: "codex",
  },
  {
    // Seed 003: attached to a remote workspace the app can't expose its automation tools, so a visible goal continues the work.
    hostSurface: "codex-app-ssh",
    family: "codex",
    agentType: "codex-app-ssh",
    activationMethod: "set_visible_goal",
    readsCodexThreadId: true,
    description: "Codex app, remote over SSH",
    markerHost: "codex",
  },
  {
    // Seed 003: the installed plugin as host, not any Codex session beside an editor.
    hostSurface: "codex-ide-plugin",
    family: "codex",
    agentType: "codex-ide-plugin",
    activationMethod: "set_visible_goal",
    readsCodexThreadId: true,
    description: "Codex plugin in an IDE",
    markerHost: "codex",
  },
  {
    hostSurface: "codex-cli-tui",
    family: "codex",
    agentType: "codex-cli",
    activationMethod: "set_visible_goal",
    readsCodexThreadId: true,
    description: "Codex in a terminal",
    markerHost: "codex",
  },
  {
    hostSurface: "claude-code",
    family: "claude-code",
    agentType: "claude-code",
    activationMethod: "run_native_loop",
    readsCodexThreadId: false,
    description: "Claude Code",
    markerHost: "claude-code",
  },
  {
    hostSurface: "opencode",
    family: "opencode",
    agentType: "opencode",
    activationMethod: "run_agent_cli_loop_gated_by_quota",
    readsCodexThreadId: false,
    description: "OpenCode",
    markerHost: "opencode",
  },
  {
    hostSurface: "cursor-agent",
    family: "cursor",
    agentType: "cursor-agent",
    activationMethod: "run_agent_cli_loop_gated_by_quota",
    readsCodexThreadId: false,
    description: "Cursor agent",
    markerHost: "cursor",
  },
  {
    hostSurface: "gemini-cli",
    family: "gemini",
    agentType: "gemini-cli",
    activationMethod: "run_agent_cli_loop_gated_by_quota",
    readsCodexThreadId: false,
    description: "Gemini CLI",
    markerHost: "gemini",
  },
  {
    hostSurface: "shell",
    family: "shell",
    agentType: "manual",
    activationMethod: "external_loop_driver",
    readsCodexThreadId: false,
    description: "shell or scheduler",
    markerHost: undefined,
  },
  {
    hostSurface: "other-agent",
    family: "other",
    agentType: "other-agent",
    activationMethod: "external_loop_driver",
    readsCodexThreadId: false,
    description: "any other agent",
    markerHost: "other-agent",
  },
] as const satisfies readonly Surface[];

/** A canonical `--host-surface` value. */
export type HostSurface = (typeof SURFACES)[number]["hostSurface"];

/** The surfaces a Codex deep link may point into, in offered order. */
export const CODEX_SURFACES: readonly HostSurface[] = SURFACES.filter((surface) => surface.family === "codex").map(
  (surface) => surface.hostSurface,
);

/** Everything known about one surface. */
export function surfaceOf(hostSurface: HostSurface): Surface {
  const surface = SURFACES.find((candidate) => candidate.hostSurface === hostSurface);
  if (surface === undefined) throw new RangeError(`no surface ${hostSurface}`);
  return surface;
}
