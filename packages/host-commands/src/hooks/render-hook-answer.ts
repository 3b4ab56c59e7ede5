import type { HookHost } from "./hook-host.ts";

/** What a hook does with a message of ours: adds to it, or stops it and tells the person why. */
export type HookAction =
  | { readonly kind: "add_context"; readonly context: string }
  | { readonly kind: "block"; readonly reason: string };

/** Renders the one JSON document that the host reads on stdout. */
export function renderHookAnswer(host: HookHost, event: string, action: HookAction): object {
  if (action.kind === "block") return renderBlock(host, action.reason);
  // Cursor documents `continue` alone and takes `additional_context` since 3.20: best effort there.
  if (host === "cursor") return { continue: true, additional_context: action.context };
  return { hookSpecificOutput: { hookEventName: event, additionalContext: action.context } };
}

function renderBlock(host: HookHost, reason: string): object {
  switch (host) {
    case "claude-code":
    case "codex":
      return { decision: "block", reason };
    case "gemini":
      return { decision: "deny", reason };
    case "cursor":
      return { continue: false, user_message: reason };
    default:
      throw new TypeError(`no way to block in ${String(host satisfies never)}`);
  }
}
