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
  /** UTF-8 bytes of injected context that reach the model whole. */
  readonly contextMaxBytes: number;
}

/**
 * Claude Code documents 10,000 characters, Cursor does the same; openai/codex `output_spill.rs` takes 2,500 tokens of four
 * bytes. Gemini CLI names no number. Bytes are never fewer than characters, so one number holds everywhere.
 */
const CONTEXT_MAX_BYTES = 10_000;

/** The hosts, each by its own documentation (autumn 2026). */
export const HOOK_CONTRACTS: Readonly<Record<HookHost, HookContract>> = {
  "claude-code": {
    events: ["UserPromptSubmit", "UserPromptExpansion"],
    threadField: "session_id",
    surfaces: ["claude-code"],
    contextMaxBytes: CONTEXT_MAX_BYTES,
  },
  codex: {
    events: ["UserPromptSubmit"],
    threadField: "session_id",
    surfaces: toSurfaces(CODEX_SURFACES),
    contextMaxBytes: CONTEXT_MAX_BYTES,
  },
  cursor: {
    events: ["beforeSubmitPrompt"],
    threadField: "conversation_id",
    surfaces: ["cursor-agent"],
    contextMaxBytes: CONTEXT_MAX_BYTES,
  },
  gemini: {
    events: ["BeforeAgent"],
    threadField: "session_id",
    surfaces: ["gemini-cli"],
    contextMaxBytes: CONTEXT_MAX_BYTES,
  },
};

function toSurfaces([first, ...others]: readonly HostSurface[]): HookContract["surfaces"] {
  if (first === undefined) throw new RangeError("a hook belongs to at least one surface");
  return [first, ...others];
}
