import { refuse, type Ambient, type Refusal } from "@loopx/contracts";
import type { Database } from "@loopx/store";
import { checkCaller, checkNamed, checkOwner, type Caller } from "../agents/check-actor.ts";
import { accept, changeGoal } from "../events/commit-changes.ts";
import { loadOpenGoal } from "../goals/load-goal.ts";
import { refuseCredential } from "../todos/check-todo-text.ts";
import { findContextAttachment } from "./context-attachment-rows.ts";
import type { ContextAttachment } from "./context-attachment.ts";

export interface AttachContextRequest {
  readonly caller: Caller;
  readonly attachment: Omit<ContextAttachment, "status" | "changed_at">;
}

export interface ChangedAttachment {
  readonly ok: true;
  readonly attachment: ContextAttachment;
  /** False when it was so already; its time stays what it was. */
  readonly changed: boolean;
}

/**
 * Records what turns of a goal ask runtime context for.
 *
 * A lane may attach what wasn't, which asks more of itself; only an owner puts another in its place.
 * Refuses with `unknown_goal`, `goal_not_active`, `unknown_agent`, `binding_not_verified`, `missing_flag`,
 * `gate_needs_owner`, `credential_refused`.
 */
export async function attachContext(
  database: Database,
  { caller, attachment }: AttachContextRequest,
  ambient: Pick<Ambient, "now">,
): Promise<ChangedAttachment | Refusal> {
  for (const [name, value] of Object.entries(attachment.inputs)) refuseCredential(value, `input ${name}`);
  const now = ambient.now();
  const { goal_id: goalId, profile } = attachment;
  return changeGoal(database, { goalId, actor: caller.actor, now }, async (tx) => {
    const goal = await loadOpenGoal(tx, goalId);
    if (!goal.ok) return goal;
    const stored = await findContextAttachment(tx, goalId, profile);
    const image: ContextAttachment = { ...attachment, status: "attached", changed_at: now };
    if (stored !== undefined && isSame(stored, image)) {
      return accept<ChangedAttachment>({ ok: true, attachment: stored, changed: false });
    }
    const refused =
      stored === undefined
        ? (checkNamed(caller) ?? (await checkCaller(tx, goalId, caller)))
        : checkOwner(caller.actor, "put another context in the place of the one attached");
    if (refused !== undefined) return refused;
    return accept<ChangedAttachment>(
      { ok: true, attachment: image, changed: true },
      { type: "context_attached.v1", image },
    );
  });
}

/**
 * Takes back what was attached under a name: turns can't ask for it any more.
 *
 * Refuses with `unknown_goal`, `goal_not_active`, `context_not_attached`, `gate_needs_owner`.
 */
export async function detachContext(
  database: Database,
  { goalId, profile, caller }: { readonly goalId: string; readonly profile: string; readonly caller: Caller },
  ambient: Pick<Ambient, "now">,
): Promise<ChangedAttachment | Refusal> {
  const now = ambient.now();
  return changeGoal(database, { goalId, actor: caller.actor, now }, async (tx) => {
    const goal = await loadOpenGoal(tx, goalId);
    if (!goal.ok) return goal;
    const stored = await findContextAttachment(tx, goalId, profile);
    if (stored === undefined) return refuseNotAttached(profile);
    const refused = checkOwner(caller.actor, "detach a context");
    if (refused !== undefined) return refused;
    const image: ContextAttachment = { ...stored, status: "detached", changed_at: now };
    return accept<ChangedAttachment>(
      { ok: true, attachment: image, changed: true },
      { type: "context_detached.v1", image },
    );
  });
}

export function refuseNotAttached(profile: string): Refusal {
  return refuse("context_not_attached", {
    message: "no context of this profile is attached to the goal",
    details: { profile },
  });
}

function isSame(stored: ContextAttachment, other: ContextAttachment): boolean {
  return JSON.stringify(inOrder(stored)) === JSON.stringify(inOrder(other));
}

/** The order in which inputs were typed says nothing. */
function inOrder({ inputs, changed_at: _at, ...attachment }: ContextAttachment): unknown {
  return [
    attachment.context_project,
    attachment.binding,
    attachment.objective,
    attachment.consumer,
    attachment.trace_store,
    Object.entries(inputs).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  ];
}
