import { LoopxError } from "@loopx/contracts";
import { findGoal, type Goal } from "@loopx/control-plane";
import type { Transaction } from "@loopx/store";
import {
  listRegisteredProjects,
  readRegisteredProject,
  type RegisteredProject,
} from "../../global/registered-project.ts";
import type { WorkstationWorld } from "../workstation-world.ts";

type World = Pick<WorkstationWorld, "globals" | "ambient">;

/** What is read of a goal, and where it is. */
export interface FoundGoal {
  readonly goal: Goal;
  readonly project: RegisteredProject;
}

/** The project that this machine's registry lists the goal for. Refuses with `unknown_goal`. */
export async function findGoalProject(goalId: string, { globals, ambient }: World): Promise<RegisteredProject> {
  const projects = await listRegisteredProjects(globals, ambient);
  const project = projects.find(({ goalIds }) => goalIds.has(goalId));
  if (project === undefined) throw toUnknownGoal();
  return project;
}

/**
 * What `read` reads in the store of a goal, in one transaction.
 *
 * Refuses with `unknown_goal`, and with what the overview warns of where the project can't be read.
 */
export async function readGoal<Result>(
  goalId: string,
  world: World,
  read: (tx: Transaction, found: FoundGoal) => Promise<Result>,
): Promise<Result> {
  const project = await findGoalProject(goalId, world);
  const answer = await readRegisteredProject(project, world.ambient, async (tx) => {
    const goal = await findGoal(tx, goalId);
    return goal === undefined ? undefined : { read: await read(tx, { goal, project }) };
  });
  if (!answer.ok) {
    const { code, label } = answer.warning;
    throw new LoopxError(code, { message: `the project ${label} cannot be read`, hint: "loopx doctor" });
  }
  if (answer.result === undefined) throw toUnknownGoal();
  return answer.result.read;
}

function toUnknownGoal(): LoopxError {
  return new LoopxError("unknown_goal", {
    message: "no goal with this id is registered on this machine",
    hint: "loopx goal list",
  });
}
