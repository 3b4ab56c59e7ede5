import type { GuidedStartFacts } from "../../src/guided-start/guided-start-facts.ts";

/** A first start in an unconnected project, from a Codex CLI that has no thread id. Tests state what differs. */
export const FIRST_START: GuidedStartFacts = {
  projectAsTyped: ".",
  projectRootLabel: "demo",
  connection: "not_connected",
  repairCommand: undefined,
  goals: [],
  performedEffects: [],
  goalId: undefined,
  agentId: undefined,
  threadId: undefined,
  hostSurface: "codex-cli-tui",
  registeredAgents: [],
  binding: { status: "unavailable" },
  activations: [],
  newGoal: false,
  newPeer: false,
  proposedGoalId: "demo-goal",
  goalText: "Ship a CLI",
  includeDetail: false,
};

/** A start in a project whose one goal has two lanes, from a Codex thread bound to the first. */
export const BOUND_START: GuidedStartFacts = {
  ...FIRST_START,
  connection: "connected",
  goals: [{ goalId: "demo-goal", objective: "Ship a CLI", status: "active" }],
  registeredAgents: ["codex-cli-1", "codex-cli-2"],
  threadId: "thread-a",
  binding: { status: "bound", agentId: "codex-cli-1", isVerified: true },
};
