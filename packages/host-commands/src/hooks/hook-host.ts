import type { HostSurface } from "../surfaces/surface.ts";
import { CODEX_SURFACES } from "../surfaces/surface.ts";

/** A host whose prompt hook LoopX answers. */
export type HookHost = "claude-code" | "codex" | "cursor" | "gemini";

/** What a host's documentation says of the hook that sees a prompt before the model does. */
export interface HookContract {
  /** Events that carry a prompt as it was typed; the first is meant where the payload names none. */
  readonly events: readonly string[];
  /** The payload's field that names the conversation: the stable thread id. */
  readonly threadField: "session_id" | "conversation_id";
  /** Surfaces that call this hook. With more than one the payload doesn't tell which, and none is guessed. */
  readonly surfaces: readonly [HostSurface, ...HostSurface[]];
  /** Characters of injected context that reach the model whole. */
  readonly contextMaxCharacters: number;
}

/** Documented by Claude Code and seen in Cursor; Codex and Gemini CLI name no number, so the same one holds there. */
const CONTEXT_MAX_CHARACTERS = 10_000;

/** The hosts, each by its own documentation (autumn 2026). */
export const HOOK_CONTRACTS: Readonly<Record<HookHost, HookContract>> = {
  "claude-code": {
    events: ["UserPromptSubmit", "UserPromptExpansion"],
    threadField: "session_id",
    surfaces: ["claude-code"],
    contextMaxCharacters: CONTEXT_MAX_CHARACTERS,
  },
  codex: {
    events: ["UserPromptSubmit"],
    threadField: "session_id",
    surfaces: toSurfaces(CODEX_SURFACES),
    contextMaxCharacters: CONTEXT_MAX_CHARACTERS,
  },
  cursor: {
    events: ["beforeSubmitPrompt"],
    threadField: "conversation_id",
    surfaces: ["cursor-agent"],
    contextMaxCharacters: CONTEXT_MAX_CHARACTERS,
  },
  gemini: {
    events: ["BeforeAgent"],
    threadField: "session_id",
    surfaces: ["gemini-cli"],
    contextMaxCharacters: CONTEXT_MAX_CHARACTERS,
  },
};

function toSurfaces([first, ...others]: readonly HostSurface[]): HookContract["surfaces"] {
  if (first === undefined) throw new RangeError("a hook belongs to at least one surface");
  return [first, ...others];
}
