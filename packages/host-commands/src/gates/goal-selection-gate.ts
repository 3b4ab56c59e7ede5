import { cutText } from "@loopx/contracts";
import type { GoalFact, GoalSelection } from "../guided-start/goal-selection.ts";
import type { GuidedStartFacts } from "../guided-start/guided-start-facts.ts";
import type { PrintCommand } from "../print-command.ts";
import { fitChoices } from "./fit-choices.ts";
import { RERUN_RULE, printArguments, printRerunCommand, spellOut, type ChoiceRerun } from "./rerun.ts";

export interface GoalChoice extends ChoiceRerun {
  readonly goal_id: string;
  readonly objective: string;
  readonly status: GoalFact["status"];
}

/** Asks which goal the task text is for. `goal_count` says how many there are; `choices` holds those that fit. */
export interface GoalSelectionGate {
  readonly schema_version: "loopx_goal_selection_gate_v0";
  readonly state: "selection_required" | "unknown_goal" | "goal_closed" | "goal_exists";
  readonly action_required: true;
  readonly reason: string;
  readonly required_cli_arg: "--goal-id=<goal-id> or --new-goal";
  readonly goal_count: number;
  readonly choices: readonly GoalChoice[];
  readonly new_goal_choice: ChoiceRerun;
  readonly rerun_command: string;
  readonly rerun_rule: string;
  readonly list_command: string;
}

const REASONS = {
  selection_required: "Several goals are open and none was named.",
  unknown_goal: "No goal of this project has the id that was named.",
  goal_closed: "The named goal is completed or stopped and takes no new work.",
  goal_exists: "A goal with the id named for the new one exists already.",
} as const;

const OBJECTIVE_SHOWN_GRAPHEMES = 60;

export function renderGoalSelectionGate(
  selection: Extract<GoalSelection, { kind: "gate" }>,
  facts: GuidedStartFacts,
  print: PrintCommand,
): GoalSelectionGate {
  const rerunCommand = printRerunCommand(facts, print, { "goal-id": undefined, "new-goal": undefined });
  const choices = selection.candidates.map((goal) => ({
    goal_id: goal.goalId,
    objective: cutText(goal.objective, OBJECTIVE_SHOWN_GRAPHEMES).text,
    status: goal.status,
    rerun_argument: printArguments(print, { "goal-id": goal.goalId }),
  }));
  const shown = fitChoices(choices);
  const newGoal = { rerun_argument: printArguments(print, { "new-goal": true }) };
  return {
    schema_version: "loopx_goal_selection_gate_v0",
    state: selection.state,
    action_required: true,
    reason: REASONS[selection.state],
    required_cli_arg: "--goal-id=<goal-id> or --new-goal",
    goal_count: choices.length,
    choices: facts.includeDetail ? shown.map((choice) => spellOut(choice, rerunCommand)) : shown,
    new_goal_choice: facts.includeDetail ? spellOut(newGoal, rerunCommand) : newGoal,
    rerun_command: rerunCommand,
    rerun_rule: RERUN_RULE,
    list_command: print("status", {}),
  };
}
