import { proposeAgentId } from "./fresh-agent-id.ts";

/** What the store says about (host surface, goal, thread). `unavailable`: the caller has no stable thread id. */
export type ThreadBindingFact =
  | { readonly status: "unavailable" }
  | { readonly status: "missing" }
  /** `isVerified`: the read-back of source and home agreed. An unverified binding is bound again, which is idempotent. */
  | { readonly status: "bound"; readonly agentId: string; readonly isVerified: boolean }
  | { readonly status: "conflict"; readonly agentIds: readonly string[] };

/** Everything that decides which lane acts. */
export interface IdentityFacts {
  readonly registeredAgents: readonly string[];
  readonly agentId: string | undefined;
  readonly binding: ThreadBindingFact;
  /** The caller's explicit wish for a lane of its own. */
  readonly newPeer: boolean;
  readonly hasGoalText: boolean;
  readonly isConnected: boolean;
  /** Names a fresh lane when the caller didn't. */
  readonly agentType: string;
}

/** One way out of an identity gate. */
export type IdentityChoice =
  | { readonly kind: "keep_bound_agent"; readonly agentId: string }
  | { readonly kind: "take_over_agent"; readonly agentId: string }
  /** `agentId` undefined: the next call proposes one. */
  | { readonly kind: "register_fresh_agent"; readonly agentId: string | undefined }
  /** Unbind `boundAgentId` first, then call again with `andThen`. */
  | {
      readonly kind: "unbind_thread";
      readonly boundAgentId: string;
      readonly andThen: { readonly agentId: string | undefined; readonly newPeer: boolean };
    };

export type GatedIdentityState =
  | "thread_binding_conflict"
  | "thread_binding_invalid"
  | "thread_already_bound"
  | "thread_bound_to_other_agent"
  | "invalid_selection"
  | "thread_binding_selection_required"
  | "selection_required";

/** The lane that acts, the gate that asks for one, or that there is none to ask for yet. */
export type IdentityDecision =
  | {
      readonly state: "thread_binding_selected" | "selected" | "fresh_agent_registration_required";
      readonly activationAllowed: true;
      readonly selectedAgentId: string;
      readonly needsRegistration: boolean;
      readonly needsBind: boolean;
    }
  | {
      readonly state: GatedIdentityState;
      readonly activationAllowed: false;
      readonly choices: readonly IdentityChoice[];
    }
  | {
      readonly state: "project_not_connected" | "no_registered_agents";
      readonly activationAllowed: false;
      readonly choices: undefined;
    };

/**
 * Decides which lane acts for a caller, or what the caller has to say first.
 *
 * Never picks one of several lanes, and never lets `--agent-id` or `--new-peer` win over an existing thread binding silently
 * (seed 003, "Project Root And Agent Identity"; taking over a lane is always an explicit choice).
 */
export function decideIdentity(facts: IdentityFacts): IdentityDecision {
  switch (facts.binding.status) {
    case "conflict":
      return gate(
        "thread_binding_conflict",
        facts.binding.agentIds.map((agentId) => unbind(agentId, undefined, false)),
      );
    case "bound":
      return decideBoundIdentity(facts, facts.binding);
    case "missing":
    case "unavailable":
      return decideUnboundIdentity(facts);
    default:
      return facts.binding satisfies never;
  }
}

function decideBoundIdentity(
  facts: IdentityFacts,
  binding: { readonly agentId: string; readonly isVerified: boolean },
): IdentityDecision {
  const bound = binding.agentId;
  const keep: IdentityChoice = { kind: "keep_bound_agent", agentId: bound };
  if (!facts.registeredAgents.includes(bound)) return gate("thread_binding_invalid", [unbind(bound, undefined, false)]);
  if (facts.newPeer) {
    const wanted = facts.agentId === bound ? undefined : facts.agentId;
    return gate("thread_already_bound", [keep, unbind(bound, wanted, true)]);
  }
  if (facts.agentId !== undefined && facts.agentId !== bound) {
    if (!facts.registeredAgents.includes(facts.agentId)) return gate("invalid_selection", [keep]);
    return gate("thread_bound_to_other_agent", [keep, unbind(bound, facts.agentId, false)]);
  }
  return {
    state: "thread_binding_selected",
    activationAllowed: true,
    selectedAgentId: bound,
    needsRegistration: false,
    needsBind: !binding.isVerified,
  };
}

function decideUnboundIdentity(facts: IdentityFacts): IdentityDecision {
  const { agentId, registeredAgents } = facts;
  const isRegistered = agentId !== undefined && registeredAgents.includes(agentId);
  if (facts.newPeer) {
    if (!isRegistered) return registerFresh(facts);
    return gate("invalid_selection", [takeOver(agentId), { kind: "register_fresh_agent", agentId: undefined }]);
  }
  if (registeredAgents.length === 0) {
    if (facts.hasGoalText || agentId !== undefined) return registerFresh(facts);
    const state = facts.isConnected ? "no_registered_agents" : "project_not_connected";
    return { state, activationAllowed: false, choices: undefined };
  }
  if (isRegistered) {
    return {
      state: "selected",
      activationAllowed: true,
      selectedAgentId: agentId,
      needsRegistration: false,
      needsBind: facts.binding.status === "missing",
    };
  }
  const choices: readonly IdentityChoice[] = [
    ...registeredAgents.map(takeOver),
    { kind: "register_fresh_agent", agentId },
  ];
  if (agentId !== undefined) return gate("invalid_selection", choices);
  const hasThread = facts.binding.status === "missing";
  return gate(hasThread ? "thread_binding_selection_required" : "selection_required", choices);
}

function registerFresh(facts: IdentityFacts): IdentityDecision {
  return {
    state: "fresh_agent_registration_required",
    activationAllowed: true,
    selectedAgentId: facts.agentId ?? proposeAgentId(facts.agentType, facts.registeredAgents),
    needsRegistration: true,
    needsBind: facts.binding.status === "missing",
  };
}

function gate(state: GatedIdentityState, choices: readonly IdentityChoice[]): IdentityDecision {
  return { state, activationAllowed: false, choices };
}

function takeOver(agentId: string): IdentityChoice {
  return { kind: "take_over_agent", agentId };
}

function unbind(boundAgentId: string, agentId: string | undefined, newPeer: boolean): IdentityChoice {
  return { kind: "unbind_thread", boundAgentId, andThen: { agentId, newPeer } };
}
