import { refuse, type Instant, type Refusal } from "@loopx/contracts";
import type { Database } from "@loopx/store";
import type { Actor } from "../../agents/agent.ts";
import { commitChanges } from "../../events/commit-changes.ts";
import type { Change } from "../../events/event.ts";
import { findGoal } from "../../goals/goal-rows.ts";
import { carryGoal, type CarriedGoal, type ParseSurface } from "./carry-goal.ts";
import { createCarryReport, type NotCarried } from "./carry-report.ts";
import { parsePythonGoalFile } from "./python-goal-file.ts";
import type { PythonRegistry } from "./python-registry.ts";

/** What a project of the public Python implementation is here. */
export interface CarriedProject {
  readonly goals: readonly CarriedGoal[];
  readonly counts: { readonly agents: number; readonly thread_bindings: number; readonly todos: number };
  readonly notCarried: readonly NotCarried[];
}

/**
 * Makes of such a project what it is here. Nothing is read or written: `readState` gives the text of a goal's state
 * file, or undefined where it can't be read.
 */
export function carryProject(
  registry: PythonRegistry,
  readState: (stateFile: string) => string | undefined,
  { now, parseSurface }: { readonly now: Instant; readonly parseSurface: ParseSurface },
): CarriedProject {
  const report = createCarryReport();
  const goals: CarriedGoal[] = [];
  for (const goal of registry.goals) {
    const text = goal.stateFile === undefined ? undefined : readState(goal.stateFile);
    const file = text === undefined ? undefined : parsePythonGoalFile(text);
    const carried = carryGoal(goal, file, { now, report, parseSurface });
    if (carried !== undefined && goals.some(({ goalId }) => goalId === carried.goalId)) {
      report.add({ goalId: carried.goalId, what: "goal", why: "it is listed twice" });
    } else if (carried !== undefined) goals.push(carried);
  }
  const all = goals.flatMap(({ changes }) => changes);
  const count = (type: Change["type"]): number => all.filter((change) => change.type === type).length;
  return {
    goals,
    counts: {
      agents: count("agent_registered.v1"),
      thread_bindings: count("thread_bound.v1"),
      todos: count("todo_added.v1"),
    },
    notCarried: report.list(),
  };
}

/**
 * Writes carried goals in one transaction: all of them or none. Refuses with `goal_id_taken`.
 *
 * With `isDryRun` nothing is written.
 */
export async function importCarried(
  database: Database,
  goals: readonly CarriedGoal[],
  { actor, now, isDryRun }: { readonly actor: Actor; readonly now: Instant; readonly isDryRun: boolean },
): Promise<{ readonly ok: true } | Refusal> {
  const work = isDryRun ? database.read.bind(database) : database.write.bind(database);
  return work(async (tx) => {
    for (const { goalId } of goals) {
      if ((await findGoal(tx, goalId)) !== undefined) return refuseTaken(goalId);
    }
    if (isDryRun) return { ok: true };
    for (const { goalId, changes } of goals) await commitChanges(tx, { goalId, actor, now }, changes);
    return { ok: true };
  });
}

function refuseTaken(goalId: string): Refusal {
  return refuse("goal_id_taken", {
    message: "the project has this goal already; nothing was imported",
    hint: "loopx goal list",
    details: { goal_id: goalId },
  });
}
