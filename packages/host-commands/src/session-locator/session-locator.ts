import { LoopxError, parseThreadId, type ThreadId } from "@loopx/contracts";

/** A deep link as a locator of a host session. It grants nothing: no identity, access, lease or write scope. */
export interface SessionLocator {
  readonly schema_version: "loopx_host_session_locator_v0";
  readonly kind: "codex_deep_link";
  readonly status: "parsed";
  readonly host_family: "codex";
  readonly thread_id: ThreadId;
  readonly deep_link: string;
  /** Names the session to an advisory recall provider, whichever host it is of. */
  readonly context_scope_ref: string;
  readonly authority: "locator_only";
}

/** `codex://threads/<id>`: scheme and authority in any case (RFC 3986), one path segment, no query, no fragment, no `%`. */
const DEEP_LINK = /^codex:\/\/threads\/([A-Za-z0-9][A-Za-z0-9._-]{0,127})$/i;

/**
 * The locator in a task link copied from the Codex app.
 *
 * White space around the link is ignored. Everything but the canonical form is refused with
 * `thread_agent_binding_invalid_request`; the link itself is never repeated. `codex://threads/new` opens a task and locates
 * none (Codex app command reference).
 */
export function parseSessionLocator(link: string): SessionLocator {
  const id = DEEP_LINK.exec(link.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, ""))?.[1];
  if (id === undefined || id.toLowerCase() === "new") throw notALink();
  const threadId = parseLinkedThreadId(id);
  return {
    schema_version: "loopx_host_session_locator_v0",
    kind: "codex_deep_link",
    status: "parsed",
    host_family: "codex",
    thread_id: threadId,
    deep_link: `codex://threads/${threadId}`,
    context_scope_ref: `host-session:codex:${threadId}`,
    authority: "locator_only",
  };
}

function parseLinkedThreadId(id: string): ThreadId {
  try {
    return parseThreadId(id);
  } catch (error) {
    throw notALink(error);
  }
}

function notALink(cause?: unknown): LoopxError {
  return new LoopxError("thread_agent_binding_invalid_request", {
    message: "--thread-link is not a link to one Codex task",
    hint: "copy the deep link from the task's menu; its form is codex://threads/<thread-id>",
    cause,
  });
}
