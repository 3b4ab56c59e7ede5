import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideIdentity, type IdentityFacts, type ThreadBindingFact } from "../../src/identity/identity.ts";

const FACTS: IdentityFacts = {
  registeredAgents: [],
  agentId: undefined,
  binding: { status: "unavailable" },
  newPeer: false,
  hasGoalText: true,
  isConnected: true,
  agentType: "codex-app",
};
const MISSING: ThreadBindingFact = { status: "missing" };
const BOUND_TO_A: ThreadBindingFact = { status: "bound", agentId: "a", isVerified: true };

function stateOf(facts: Partial<IdentityFacts>): string {
  const decision = decideIdentity({ ...FACTS, ...facts });
  if (!decision.activationAllowed) return decision.state;
  const steps = [decision.needsRegistration && "register", decision.needsBind && "bind"].filter(
    (step) => step !== false,
  );
  return [decision.state, decision.selectedAgentId, ...steps].join(" ");
}

describe("a goal without lanes", () => {
  test("registers a fresh lane when a task is started", () => {
    expect(stateOf({})).toBe("fresh_agent_registration_required codex-app-1 register");
  });
  test("binds the fresh lane to a stable thread", () => {
    expect(stateOf({ binding: MISSING })).toBe("fresh_agent_registration_required codex-app-1 register bind");
  });
  test("registers the lane that the caller named", () => {
    expect(stateOf({ agentId: "mine" })).toBe("fresh_agent_registration_required mine register");
  });
  test("asks for nothing while the project is only looked at", () => {
    expect(stateOf({ hasGoalText: false })).toBe("no_registered_agents");
    expect(stateOf({ hasGoalText: false, isConnected: false })).toBe("project_not_connected");
  });
});

describe("an unbound caller of a goal with lanes", () => {
  const lanes = ["a", "b"];
  test.each([
    ["thread, nothing said", { binding: MISSING }, "thread_binding_selection_required"],
    ["no thread, nothing said", {}, "selection_required"],
    ["no thread, nothing said, only looking", { hasGoalText: false }, "selection_required"],
    [
      "thread, registered lane named: explicit takeover, bound first",
      { binding: MISSING, agentId: "b" },
      "selected b bind",
    ],
    ["no thread, registered lane named", { agentId: "b" }, "selected b"],
    ["thread, unknown lane named", { binding: MISSING, agentId: "c" }, "invalid_selection"],
    ["no thread, unknown lane named", { agentId: "c" }, "invalid_selection"],
    [
      "thread, new peer",
      { binding: MISSING, newPeer: true },
      "fresh_agent_registration_required codex-app-1 register bind",
    ],
    ["no thread, new peer", { newPeer: true }, "fresh_agent_registration_required codex-app-1 register"],
    ["new peer with a new id", { newPeer: true, agentId: "c" }, "fresh_agent_registration_required c register"],
    ["new peer with the id of a lane", { newPeer: true, agentId: "b" }, "invalid_selection"],
  ] as const)("%s", (_case, facts, expected) => {
    expect(stateOf({ registeredAgents: lanes, ...facts })).toBe(expected);
  });

  test("a single lane is not chosen silently either", () => {
    expect(stateOf({ registeredAgents: ["a"] })).toBe("selection_required");
    expect(stateOf({ registeredAgents: ["a"], binding: MISSING })).toBe("thread_binding_selection_required");
  });

  test("the gate offers every lane and a fresh one", () => {
    expect(decideIdentity({ ...FACTS, registeredAgents: lanes })).toEqual({
      state: "selection_required",
      activationAllowed: false,
      choices: [
        { kind: "take_over_agent", agentId: "a" },
        { kind: "take_over_agent", agentId: "b" },
        { kind: "register_fresh_agent", agentId: undefined },
      ],
    });
  });

  test("a proposed id is never one that is taken", () => {
    expect(stateOf({ registeredAgents: ["codex-app-1", "codex-app-3"], newPeer: true })).toBe(
      "fresh_agent_registration_required codex-app-2 register",
    );
  });
});

describe("a bound thread", () => {
  const registeredAgents = ["a", "b"];
  test.each([
    ["nothing said", {}, "thread_binding_selected a"],
    ["its own lane named", { agentId: "a" }, "thread_binding_selected a"],
    ["another lane named", { agentId: "b" }, "thread_bound_to_other_agent"],
    ["an unknown lane named", { agentId: "c" }, "invalid_selection"],
    ["new peer", { newPeer: true }, "thread_already_bound"],
    ["new peer with its own lane", { newPeer: true, agentId: "a" }, "thread_already_bound"],
    ["new peer with a new id", { newPeer: true, agentId: "c" }, "thread_already_bound"],
    ["only looking", { hasGoalText: false }, "thread_binding_selected a"],
  ] as const)("%s", (_case, facts, expected) => {
    expect(stateOf({ registeredAgents, binding: BOUND_TO_A, ...facts })).toBe(expected);
  });

  test("an unverified binding is bound again", () => {
    const binding: ThreadBindingFact = { status: "bound", agentId: "a", isVerified: false };
    expect(stateOf({ registeredAgents, binding })).toBe("thread_binding_selected a bind");
  });

  test("a binding to an agent that is not registered is a gate whatever is said", () => {
    const binding: ThreadBindingFact = { status: "bound", agentId: "gone", isVerified: true };
    for (const agentId of [undefined, "a", "gone"]) {
      for (const newPeer of [true, false]) {
        expect(stateOf({ registeredAgents, binding, agentId, newPeer })).toBe("thread_binding_invalid");
      }
    }
  });

  test("a thread bound to several agents is a gate whatever is said", () => {
    const binding: ThreadBindingFact = { status: "conflict", agentIds: ["a", "b"] };
    expect(stateOf({ registeredAgents, binding, agentId: "a" })).toBe("thread_binding_conflict");
    expect(stateOf({ registeredAgents, binding, newPeer: true })).toBe("thread_binding_conflict");
  });

  test("a takeover names the unbinding that comes first", () => {
    expect(decideIdentity({ ...FACTS, registeredAgents, binding: BOUND_TO_A, agentId: "b" })).toMatchObject({
      choices: [
        { kind: "keep_bound_agent", agentId: "a" },
        { kind: "unbind_thread", boundAgentId: "a", andThen: { agentId: "b", newPeer: false } },
      ],
    });
  });
});

const agent = fc.constantFrom("a", "b", "c");
const anyFacts: fc.Arbitrary<IdentityFacts> = fc.record({
  registeredAgents: fc.uniqueArray(agent),
  agentId: fc.option(agent, { nil: undefined }),
  binding: fc.oneof(
    fc.constant<ThreadBindingFact>({ status: "unavailable" }),
    fc.constant<ThreadBindingFact>({ status: "missing" }),
    fc.record({ status: fc.constant("bound" as const), agentId: agent, isVerified: fc.boolean() }),
    fc.record({ status: fc.constant("conflict" as const), agentIds: fc.constant(["a", "b"]) }),
  ),
  newPeer: fc.boolean(),
  hasGoalText: fc.boolean(),
  isConnected: fc.boolean(),
  agentType: fc.constant("a"),
});

describe("whatever the facts are", () => {
  test("an allowed start has exactly one lane: a registered one, or one to be registered that is not there yet", () => {
    let allowed = 0;
    let runs = 0;
    fc.assert(
      fc.property(anyFacts, (facts) => {
        runs += 1;
        const decision = decideIdentity(facts);
        if (!decision.activationAllowed) return;
        allowed += 1;
        expect(facts.registeredAgents.includes(decision.selectedAgentId)).toBe(!decision.needsRegistration);
      }),
      { numRuns: 2_000 },
    );
    expect(allowed / runs).toBeGreaterThan(0.1);
    expect(allowed / runs).toBeLessThan(0.9);
  });

  test("neither --agent-id nor --new-peer wins over a binding silently", () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { binding } = facts;
        const decision = decideIdentity(facts);
        if (!decision.activationAllowed) return;
        expect(binding.status).not.toBe("conflict");
        if (binding.status === "bound") {
          expect(decision.selectedAgentId).toBe(binding.agentId);
          expect(facts.newPeer).toBe(false);
          expect([undefined, binding.agentId]).toContain(facts.agentId);
        } else if (facts.agentId !== undefined) {
          expect(decision.selectedAgentId).toBe(facts.agentId);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test("with lanes and nothing said, an unbound caller is always asked", () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        fc.pre(facts.registeredAgents.length > 0 && !facts.newPeer && facts.agentId === undefined);
        fc.pre(facts.binding.status === "missing" || facts.binding.status === "unavailable");
        expect(decideIdentity(facts).activationAllowed).toBe(false);
      }),
    );
  });

  test("a stable thread that isn't verifiably bound gets a bind step before it may act", () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const decision = decideIdentity(facts);
        if (!decision.activationAllowed) return;
        const { binding } = facts;
        const isSettled = binding.status === "unavailable" || (binding.status === "bound" && binding.isVerified);
        expect(decision.needsBind).toBe(!isSettled);
      }),
    );
  });
});
