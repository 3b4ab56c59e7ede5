/** A program that LoopX knows as the driver of an agent. */
export type MarkedHost = "claude-code" | "codex" | "cursor" | "gemini" | "opencode" | "loopx-drive" | "other-agent";

/** One environment variable that a host sets for the processes it starts on behalf of an agent. */
export interface HostMarker {
  readonly variable: string;
  readonly host: MarkedHost;
}

/**
 * The one list of variables that say "this process runs under an agent host".
 *
 * Not on it, because people's own shells carry them too: `CODEX_HOME`, `CLAUDE_CONFIG_DIR`, `GEMINI_API_KEY`, `CURSOR_TRACE_ID`
 * (every terminal inside the Cursor editor) and the generic `AGENT`.
 */
export const HOST_MARKERS: readonly HostMarker[] = [
  // Set by `loopx drive` for the agent it starts.
  { variable: "LOOPX_AGENT", host: "loopx-drive" },
  // Claude Code docs, "Environment variables". IDE extensions set CLAUDECODE in integrated terminals as well: an owner decides
  // in another terminal there.
  { variable: "CLAUDECODE", host: "claude-code" },
  { variable: "CLAUDE_CODE_CHILD_SESSION", host: "claude-code" },
  { variable: "CLAUDE_CODE_SESSION_ID", host: "claude-code" },
  // openai/codex, `codex-rs/protocol/src/shell_environment.rs`: given to every shell tool call of a thread.
  { variable: "CODEX_THREAD_ID", host: "codex" },
  // openai/codex, `AGENTS.md` and the sandbox documentation.
  { variable: "CODEX_SANDBOX", host: "codex" },
  { variable: "CODEX_SANDBOX_NETWORK_DISABLED", host: "codex" },
  // openai/codex, unified exec environment: set where no sandbox is.
  { variable: "CODEX_CI", host: "codex" },
  // Cursor docs, "Terminal" (agent shells) and "Hooks" (hook processes).
  { variable: "CURSOR_AGENT", host: "cursor" },
  { variable: "CURSOR_VERSION", host: "cursor" },
  { variable: "CURSOR_PROJECT_DIR", host: "cursor" },
  // Gemini CLI docs, "Shell tool (run_shell_command)".
  { variable: "GEMINI_CLI", host: "gemini" },
  // anomalyco/opencode, `packages/opencode/src/index.ts`: set once for the program and inherited by its shells.
  { variable: "OPENCODE", host: "opencode" },
  // The AI_AGENT convention (README of @vercel/detect-agent): agents without a variable of their own name themselves here.
  { variable: "AI_AGENT", host: "other-agent" },
];

/**
 * Finds the host that this process runs under; undefined when no known marker is set.
 *
 * Any non-empty value counts, "0" and "false" included: a wrong "no" would let an agent pass for its owner.
 */
export function findHostMarker(env: Readonly<Record<string, string | undefined>>): HostMarker | undefined {
  return HOST_MARKERS.find((marker) => (env[marker.variable] ?? "") !== "");
}

/** Lists the variables by which one host is recognised, in the order they are looked at. */
export function listMarkerVariables(host: MarkedHost): readonly string[] {
  return HOST_MARKERS.filter((marker) => marker.host === host).map((marker) => marker.variable);
}
