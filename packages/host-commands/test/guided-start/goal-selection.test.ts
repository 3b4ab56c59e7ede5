import { describe, expect, test } from "vitest";
import { decideGoalSelection, type GoalFact, type GoalSelectionFacts } from "../../src/guided-start/goal-selection.ts";

const FACTS: GoalSelectionFacts = {
  isConnected: true,
  goals: [],
  goalId: undefined,
  newGoal: false,
  proposedGoalId: "proposed",
};

function goal(goalId: string, status: GoalFact["status"] = "active"): GoalFact {
  return { goalId, status, objective: `objective of ${goalId}` };
}

function outcome(facts: Partial<GoalSelectionFacts>): string {
  const selection = decideGoalSelection({ ...FACTS, ...facts });
  if (selection.kind === "gate") return `gate ${selection.state} ${selection.candidates.length}`;
  return `${selection.kind} ${selection.goalId}`;
}

describe("which goal a task text is for", () => {
  test.each([
    ["not connected", { isConnected: false }, "new_goal proposed"],
    ["not connected, id named", { isConnected: false, goalId: "mine" }, "new_goal mine"],
    ["connected without goals", {}, "new_goal proposed"],
    ["one open goal", { goals: [goal("a")] }, "existing_goal a"],
    ["one paused goal", { goals: [goal("a", "paused")] }, "existing_goal a"],
    ["one open beside closed ones", { goals: [goal("a", "completed"), goal("b")] }, "existing_goal b"],
    ["only closed ones", { goals: [goal("a", "completed"), goal("b", "stopped")] }, "new_goal proposed"],
    ["several open", { goals: [goal("a"), goal("b", "paused"), goal("c", "stopped")] }, "gate selection_required 2"],
    ["several open, one named", { goals: [goal("a"), goal("b")], goalId: "b" }, "existing_goal b"],
    ["unknown id", { goals: [goal("a")], goalId: "x" }, "gate unknown_goal 1"],
    ["closed goal named", { goals: [goal("a"), goal("b", "stopped")], goalId: "b" }, "gate goal_closed 1"],
    ["new goal", { goals: [goal("a")], newGoal: true }, "new_goal proposed"],
    ["new goal with an id", { goals: [goal("a")], newGoal: true, goalId: "b" }, "new_goal b"],
    ["new goal with the id of another", { goals: [goal("a")], newGoal: true, goalId: "a" }, "gate goal_exists 1"],
  ] as const)("%s", (_case, facts, expected) => {
    expect(outcome(facts)).toBe(expected);
  });
});
