import { refuse, type Ambient, type Instant, type Refusal } from "@loopx/contracts";
import type { Database, Transaction } from "@loopx/store";
import { findAgent } from "../agents/agent-rows.ts";
import type { Actor } from "../agents/agent.ts";
import { refuseUnknownAgent } from "../agents/check-actor.ts";
import { commitChanges } from "../events/commit-changes.ts";
import { loadGoal } from "../goals/load-goal.ts";
import { refuseHome } from "../registry/connect-project.ts";
import { findRegisteredBinding, mirrorGoal } from "../registry/registry-rows.ts";
import { findThreadBinding } from "./thread-binding-rows.ts";
import type { ThreadBinding } from "./thread-binding.ts";
import { refuseCredential } from "../todos/check-todo-text.ts";

export interface BindRequest {
  readonly goalId: string;
  readonly projectId: string;
  readonly hostSurface: string;
  readonly threadId: string;
  readonly agentId: string;
  readonly actor: Actor;
}

export interface BoundThread {
  readonly ok: true;
  readonly binding: ThreadBinding;
  /** False when the same binding was there and verified already. */
  readonly changed: boolean;
}

/** What a bind would do, without doing it. Refuses as `bindThread` does. */
export async function previewBind(
  project: Database,
  request: BindRequest,
  now: Instant,
): Promise<BoundThread | Refusal> {
  return project.read((tx) => decideBind(tx, request, now));
}

/**
 * Binds a host thread to a lane: the project first, the home second, then both are read back.
 *
 * A crash in between leaves the binding unverified, and the same call completes it.
 * Refuses with `home_not_writable`, `unknown_goal`, `unknown_agent`, `thread_agent_binding_conflict`.
 */
export async function bindThread(
  home: Database,
  project: Database,
  request: BindRequest,
  ambient: Pick<Ambient, "now">,
): Promise<BoundThread | Refusal> {
  refuseCredential(request.threadId, "thread_id");
  if (!home.isWritable) return refuseHome("store the binding");
  const now = ambient.now();
  const context = { goalId: request.goalId, actor: request.actor, now };
  const bound = await home.write(async (homeTx) => {
    const written = await project.write(async (tx) => {
      const decided = await decideBind(tx, request, now);
      if (decided.ok && decided.changed) {
        await commitChanges(tx, context, [{ type: "thread_bound.v1", image: decided.binding }]);
      }
      return decided;
    });
    if (!written.ok) return written;
    await project.read((tx) => mirrorGoal(homeTx, tx, { goalId: request.goalId, projectId: request.projectId, now }));
    return written;
  });
  if (!bound.ok) return bound;
  return verifyBinding(home, project, { bound, context });
}

async function decideBind(tx: Transaction, request: BindRequest, now: Instant): Promise<BoundThread | Refusal> {
  const goal = await loadGoal(tx, request.goalId);
  if (!goal.ok) return goal;
  if ((await findAgent(tx, request.goalId, request.agentId)) === undefined) return refuseUnknownAgent(request.goalId);
  const key = { goal_id: request.goalId, host_surface: request.hostSurface, thread_id: request.threadId };
  const existing = await findThreadBinding(tx, key);
  if (existing?.status === "bound" && existing.agent_id !== request.agentId) {
    return refuse("thread_agent_binding_conflict", {
      message: "the thread is bound to another agent",
      hint:
        `loopx unbind-agent-thread --goal-id=${request.goalId} --thread-id=${request.threadId} ` +
        `--host-surface=${request.hostSurface} --agent-id=${existing.agent_id} --execute`,
      details: { thread_id: request.threadId, bound_agent_id: existing.agent_id },
    });
  }
  if (existing?.status === "bound") return { ok: true, binding: existing, changed: false };
  const binding: ThreadBinding = {
    ...key,
    agent_id: request.agentId,
    status: "bound",
    is_verified: false,
    bound_at: now,
  };
  return { ok: true, binding, changed: true };
}

/** Marks the binding verified once project and home both name the agent. */
async function verifyBinding(
  home: Database,
  project: Database,
  {
    bound,
    context,
  }: {
    readonly bound: BoundThread;
    readonly context: { readonly goalId: string; readonly actor: Actor; readonly now: Instant };
  },
): Promise<BoundThread> {
  const { binding } = bound;
  const mirrored = await home.read((tx) => findRegisteredBinding(tx, binding));
  return project.write(async (tx) => {
    const stored = await findThreadBinding(tx, binding);
    const agrees = stored?.status === "bound" && stored.agent_id === binding.agent_id && mirrored === binding.agent_id;
    if (!agrees) return { ok: true, binding: { ...binding, is_verified: false }, changed: bound.changed };
    if (stored.is_verified) return { ok: true, binding: stored, changed: bound.changed };
    const verified: ThreadBinding = { ...stored, is_verified: true };
    await commitChanges(tx, context, [{ type: "thread_verified.v1", image: verified }]);
    return { ok: true, binding: verified, changed: true };
  });
}

export interface UnboundThread {
  readonly ok: true;
  readonly binding: ThreadBinding | null;
  readonly changed: boolean;
}

/**
 * Takes a binding away. A thread that is not bound is already so.
 *
 * Refuses with `home_not_writable`, `unknown_goal`, `thread_agent_binding_agent_mismatch`.
 */
export async function unbindThread(
  home: Database,
  project: Database,
  request: BindRequest,
  ambient: Pick<Ambient, "now">,
): Promise<UnboundThread | Refusal> {
  if (!home.isWritable) return refuseHome("take the binding away");
  const now = ambient.now();
  return home.write(async (homeTx) => {
    const written = await project.write(async (tx) => {
      const decided = await decideUnbind(tx, request);
      if (decided.ok && decided.changed && decided.binding !== null) {
        const context = { goalId: request.goalId, actor: request.actor, now };
        await commitChanges(tx, context, [{ type: "thread_unbound.v1", image: decided.binding }]);
      }
      return decided;
    });
    if (!written.ok) return written;
    await project.read((tx) => mirrorGoal(homeTx, tx, { goalId: request.goalId, projectId: request.projectId, now }));
    return written;
  });
}

/** What an unbind would do, without doing it. */
export async function previewUnbind(project: Database, request: BindRequest): Promise<UnboundThread | Refusal> {
  return project.read((tx) => decideUnbind(tx, request));
}

async function decideUnbind(tx: Transaction, request: BindRequest): Promise<UnboundThread | Refusal> {
  const goal = await loadGoal(tx, request.goalId);
  if (!goal.ok) return goal;
  const key = { goal_id: request.goalId, host_surface: request.hostSurface, thread_id: request.threadId };
  const existing = await findThreadBinding(tx, key);
  if (existing?.status !== "bound") return { ok: true, binding: existing ?? null, changed: false };
  if (existing.agent_id !== request.agentId) {
    return refuse("thread_agent_binding_agent_mismatch", {
      message: "the thread is bound to an agent other than the one named",
      hint: `name the one it is bound to: --agent-id=${existing.agent_id}`,
      details: { thread_id: request.threadId, bound_agent_id: existing.agent_id },
    });
  }
  const binding: ThreadBinding = { ...existing, status: "unbound", is_verified: false };
  return { ok: true, binding, changed: true };
}
