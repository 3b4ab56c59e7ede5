import { LoopxError, type Ambient } from "@loopx/contracts";
import { findTodo } from "@loopx/control-plane";
import type { Globals } from "../command-table/global-flags.ts";
import { listRegisteredProjects, readRegisteredProject, type RegisteredProject } from "../global/registered-project.ts";

const TRACE_ID = /^trace_[a-z0-9]+$/;
const TODO_ID = /^todo_[a-z0-9]+$/;

/**
 * The path of a goal, todo or trace on the page, by its id alone. A trace is not looked for: which stores the page shows is
 * the server's to know.
 *
 * Refuses with `unknown_goal` and `unknown_todo` what no registered project has.
 */
export async function findAddress(id: string, globals: Pick<Globals, "registry">, ambient: Ambient): Promise<string> {
  const projects = await listRegisteredProjects(globals, ambient);
  if (projects.some(({ goalIds }) => goalIds.has(id))) return toGoalAddress(id);
  if (TRACE_ID.test(id)) return `/context/traces/${id}`;
  if (!TODO_ID.test(id)) {
    throw new LoopxError("unknown_goal", {
      message: "no goal of this machine has this id",
      hint: "loopx global-summary",
      details: { goal_id: id },
    });
  }
  for (const project of projects) {
    const goalId = await findGoalOfTodo(id, project, ambient);
    if (goalId !== undefined) return `${toGoalAddress(goalId)}/todos/${id}`;
  }
  throw new LoopxError("unknown_todo", {
    message: "no goal of this machine has a todo with this id",
    hint: "loopx global-todos",
    details: { todo_id: id },
  });
}

function toGoalAddress(goalId: string): string {
  return `/goals/${encodeURIComponent(goalId)}`;
}

async function findGoalOfTodo(
  todoId: string,
  project: RegisteredProject,
  ambient: Ambient,
): Promise<string | undefined> {
  const read = await readRegisteredProject(project, ambient, async (tx) => {
    for (const goalId of project.goalIds) {
      if ((await findTodo(tx, goalId, todoId)) !== undefined) return goalId;
    }
    return undefined;
  });
  // One that cannot be read has nothing to show either.
  return read.ok ? read.result : undefined;
}
