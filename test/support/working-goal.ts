import { createWorld, type World, type WorldOptions } from "./cli-world.ts";
import { readText } from "./read-field.ts";

/** A world whose project has a goal and registered agents. */
export interface WorkingGoal {
  readonly world: World;
  readonly goalId: string;
  readonly agents: readonly string[];
}

/** Bootstraps a project and registers `agent-1` to `agent-<count>`. */
export async function createWorkingGoal(
  agentCount: number,
  { objective = "Ship the importer", ...options }: WorldOptions & { readonly objective?: string } = {},
): Promise<WorkingGoal> {
  const world = createWorld(options);
  const connected = await world.call(["bootstrap", `--objective=${objective}`]);
  const goalId = readText(connected, "goal", "goal_id");
  const agents = Array.from({ length: agentCount }, (_, index) => `agent-${index + 1}`);
  for (const agent of agents)
    await world.call(["register-agent", `--goal-id=${goalId}`, `--agent-id=${agent}`, "--execute"]);
  return { world, goalId, agents };
}

/** Adds a todo as `agent-1` and gives its id. */
export async function addTodo(
  { world, goalId }: WorkingGoal,
  text: string,
  more: readonly string[] = [],
): Promise<string> {
  const args = ["todo", "add", `--goal-id=${goalId}`, "--role=agent", "--agent-id=agent-1", `--text=${text}`, ...more];
  return readText(await world.call(args), "todo", "todo_id");
}

/** A turn that `should-run` opened: which todo it is for. */
export interface OpenTurn {
  readonly turnId: string;
  readonly todoId: string;
}

/** Opens a turn of `agent-1`. Throws when there is nothing to run. */
export async function openTurn({ world, goalId }: WorkingGoal): Promise<OpenTurn> {
  const answer = await world.call(["quota", "should-run", `--goal-id=${goalId}`, "--agent-id=agent-1"]);
  return { turnId: readText(answer, "turn", "turn_id"), todoId: readText(answer, "todo", "todo_id") };
}

/** The flags that name a turn to the commands which settle it. */
export function nameTurn({ goalId }: WorkingGoal, { turnId, todoId }: OpenTurn): readonly string[] {
  return [`--goal-id=${goalId}`, "--agent-id=agent-1", `--turn=${turnId}`, `--todo-id=${todoId}`];
}
