import { LoopxError } from "@loopx/contracts";
import { SURFACES, type HostSurface } from "../surfaces/surface.ts";

/** Other names of an agent type, as hyphenated words; its own name and its surface's are accepted too. */
export const AGENT_TYPE_ALIASES: Readonly<Record<HostSurface, readonly string[]>> = {
  "codex-app": ["codex-desktop"],
  "codex-app-ssh": ["codex-ssh", "codex-app-remote"],
  // Seed 003: codex-ide is accepted and never offered.
  "codex-ide-plugin": ["codex-ide", "codex-ide-extension", "codex-vscode", "vscode-codex"],
  "codex-cli-tui": ["codex-tui"],
  "claude-code": ["cc"],
  opencode: ["open-code"],
  "cursor-agent": ["cursor", "cursor-cli"],
  "gemini-cli": ["gemini", "gemini-code", "google-gemini"],
  shell: ["manual-shell", "external-scheduler"],
  "other-agent": ["custom-agent"],
};

const CODEX_TYPES = SURFACES.filter(({ family }) => family === "codex").map(({ agentType }) => agentType);

/** Names of several types that are activated differently: none of them is guessed (seed 003). */
export const AMBIGUOUS_AGENT_TYPES: ReadonlyMap<string, readonly string[]> = new Map([
  ["codex", CODEX_TYPES],
  ["openai-codex", CODEX_TYPES],
  ["cli", ["codex-cli", "manual", "other-agent"]],
]);

/**
 * The surface that an `--agent-type` value names. Case, white space at the ends, and `_` or spaces for hyphens don't matter.
 *
 * Refuses everything else with `invalid_value` and the types it could mean, or all of them.
 */
export function parseAgentType(text: string): HostSurface {
  const words = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, "-");
  const surface = SURFACES.find(({ hostSurface, agentType }) =>
    [agentType, hostSurface, ...AGENT_TYPE_ALIASES[hostSurface]].includes(words),
  );
  if (surface !== undefined) return surface.hostSurface;
  const meant = AMBIGUOUS_AGENT_TYPES.get(words);
  const suggestions = meant ?? listAlike(words);
  throw new LoopxError("invalid_value", {
    message: meant === undefined ? "--agent-type is not one of the known types" : "--agent-type names several types",
    hint: suggestions.length > 0 ? `did you mean ${suggestions.join(" or ")}?` : SEE_TYPES,
    details: { field: "agent_type", error_kind: "ambiguous_or_unsupported_agent_type", suggestions },
  });
}

const SEE_TYPES = "see the types: loopx agent-onboard --list-agent-types";

/** The types that begin with what was typed, hyphens left aside. */
function listAlike(words: string): readonly string[] {
  const typed = words.replaceAll("-", "");
  if (typed.length < 3) return [];
  return SURFACES.map(({ agentType }) => agentType).filter((agentType) =>
    agentType.replaceAll("-", "").startsWith(typed),
  );
}
