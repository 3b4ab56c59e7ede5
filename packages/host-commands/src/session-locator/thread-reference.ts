import { LoopxError, parseThreadId, type ThreadId } from "@loopx/contracts";
import { parseHostSurface } from "../surfaces/parse-host-surface.ts";
import { CODEX_SURFACES, type HostSurface } from "../surfaces/surface.ts";
import { parseSessionLocator, type SessionLocator } from "./session-locator.ts";

/** The thread that a lookup is about: a link, or an id on one surface. */
export type ThreadReference =
  | { readonly kind: "link"; readonly locator: SessionLocator; readonly hostSurface: HostSurface | undefined }
  | { readonly kind: "thread"; readonly threadId: ThreadId; readonly hostSurface: HostSurface };

/** `resolve-agent-thread`'s flags as they were typed. */
export interface TypedThreadReference {
  readonly threadLink?: string | undefined;
  readonly threadId?: string | undefined;
  readonly hostSurface?: string | undefined;
}

/**
 * The reference in `--thread-link L [--host-surface S]` or `--thread-id T --host-surface S`.
 *
 * Refuses anything else with `thread_agent_binding_invalid_request` and repeats no value of it.
 */
export function parseThreadReference(typed: TypedThreadReference): ThreadReference {
  const { threadLink, threadId } = typed;
  if ((threadLink === undefined) === (threadId === undefined)) {
    throw invalid("give exactly one of --thread-link and --thread-id");
  }
  const hostSurface = typed.hostSurface === undefined ? undefined : parseLookupSurface(typed.hostSurface);
  if (threadLink !== undefined) {
    const locator = parseSessionLocator(threadLink);
    if (hostSurface !== undefined && !CODEX_SURFACES.includes(hostSurface)) {
      throw invalid(`a Codex link is looked up on ${CODEX_SURFACES.join(", ")} only`);
    }
    return { kind: "link", locator, hostSurface };
  }
  if (hostSurface === undefined) throw invalid("--thread-id needs --host-surface");
  return { kind: "thread", threadId: parseLookupThreadId(threadId), hostSurface };
}

function parseLookupSurface(text: string): HostSurface {
  try {
    return parseHostSurface(text);
  } catch (error) {
    throw invalid("--host-surface is not one of the known surfaces", error);
  }
}

function parseLookupThreadId(text: string | undefined): ThreadId {
  try {
    return parseThreadId(text);
  } catch (error) {
    throw invalid("--thread-id is malformed", error);
  }
}

function invalid(message: string, cause?: unknown): LoopxError {
  return new LoopxError("thread_agent_binding_invalid_request", {
    message,
    hint: "give --thread-link=LINK, with --host-surface=SURFACE to narrow it, or --thread-id=THREAD --host-surface=SURFACE",
    cause,
  });
}
