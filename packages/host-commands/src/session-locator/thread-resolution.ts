import type { ErrorCode } from "@loopx/contracts";
import { CODEX_SURFACES, surfaceOf, type HostSurface, type Surface } from "../surfaces/surface.ts";
import type { SessionLocator } from "./session-locator.ts";
import type { ThreadReference } from "./thread-reference.ts";

/** One stored binding of the project. */
export interface StoredThreadBinding {
  readonly hostSurface: HostSurface;
  readonly threadId: string;
  readonly goalId: string;
  readonly agentId: string;
  /** False when the lane is not registered in the goal: such a binding names nobody. */
  readonly isAgentRegistered: boolean;
}

export interface ThreadMatch {
  readonly goal_id: string;
  readonly agent_id: string;
  readonly host_surface: HostSurface;
}

/** What `resolve-agent-thread` answers. Only `bound` names a lane, and exactly one. */
export interface ThreadResolution {
  readonly ok: boolean;
  readonly schema_version: "loopx_thread_agent_binding_resolution_v0";
  readonly status: "bound" | "missing" | "ambiguous" | "invalid";
  /** The surface that was asked for; null when a link was looked up in its whole family. */
  readonly host_surface: HostSurface | null;
  readonly host_family: Surface["family"];
  readonly goal_id: string | null;
  readonly agent_id: string | null;
  readonly matches: readonly ThreadMatch[];
  readonly matched_host_surfaces?: readonly HostSurface[];
  readonly thread_id?: string;
  /** The parsed link. Left out where the answer is no answer. */
  readonly session_locator?: SessionLocator;
  readonly error_code?: ErrorCode;
}

/**
 * Decides whom a thread belongs to in this project. Reads nothing and binds nothing.
 *
 * `missing` says only that the reference is well formed: it authorises no takeover. One lane reached over several surfaces is
 * one lane; two lanes, or one that isn't registered, fail closed and repeat neither link nor thread id.
 */
export function decideThreadResolution(
  reference: ThreadReference,
  bindings: readonly StoredThreadBinding[],
): ThreadResolution {
  const threadId = reference.kind === "link" ? reference.locator.thread_id : reference.threadId;
  const surfaces = reference.hostSurface === undefined ? CODEX_SURFACES : [reference.hostSurface];
  const found = bindings.filter((binding) => binding.threadId === threadId && surfaces.includes(binding.hostSurface));
  const matches = found.map(({ goalId, agentId, hostSurface }) => ({
    goal_id: goalId,
    agent_id: agentId,
    host_surface: hostSurface,
  }));
  const head = {
    schema_version: "loopx_thread_agent_binding_resolution_v0",
    host_surface: reference.hostSurface ?? null,
    host_family: reference.hostSurface === undefined ? "codex" : surfaceOf(reference.hostSurface).family,
    goal_id: null,
    agent_id: null,
    matches,
  } as const;
  const identified = {
    thread_id: threadId,
    ...(reference.kind === "link" && { session_locator: reference.locator }),
  };
  const [first, ...others] = matches;
  if (first === undefined) return { ok: true, ...head, status: "missing", ...identified };
  if (others.some((match) => match.goal_id !== first.goal_id || match.agent_id !== first.agent_id)) {
    return { ok: false, ...head, status: "ambiguous", error_code: "thread_agent_binding_ambiguous" };
  }
  if (found.some((binding) => !binding.isAgentRegistered)) {
    return { ok: false, ...head, status: "invalid", error_code: "unknown_agent" };
  }
  return {
    ok: true,
    ...head,
    status: "bound",
    goal_id: first.goal_id,
    agent_id: first.agent_id,
    matched_host_surfaces: surfaces.filter((surface) => matches.some((match) => match.host_surface === surface)),
    ...identified,
  };
}
