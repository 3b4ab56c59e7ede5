import { expect } from "vitest";
import { decodeRow } from "../../src/events/entity-table.ts";
import {
  decideNext,
  isTerminal,
  loadDecisionFacts,
  newGate,
  type DecidedNext,
  type Decision,
  type DecisionFacts,
  type Todo,
} from "../../src/index.ts";
import { TODOS } from "../../src/todos/todo-rows.ts";
import type { World } from "../control-plane-world.ts";
import { rowsOf } from "../store-content.ts";

export async function loadFacts(world: World, agentId: string): Promise<DecisionFacts> {
  const goal = await world.goal();
  const caller = { agentId, holder: { turnId: null, label: null } };
  return world.project.read((tx) => loadDecisionFacts(tx, goal, caller, world.ambient.now()));
}

/** The same facts with every live todo and every gate, read whole and put together here. */
export async function loadAllFacts(world: World, agentId: string): Promise<DecisionFacts> {
  const todos = (await rowsOf(world.project, "todos", "priority, position")).map((row): Todo => decodeRow(TODOS, row));
  const done = new Set(todos.filter((todo) => todo.status === "done").map((todo) => todo.todo_id));
  return {
    ...(await loadFacts(world, agentId)),
    todos: todos
      .filter((todo) => !isTerminal(todo) && todo.gate === null)
      .map((todo) => ({
        ...todo,
        unmet_dependencies: todo.depends_on.filter((id) => !done.has(id)).toSorted(),
        left_out: 0,
      })),
    doneTodoIds: done,
    gates: todos
      .filter((todo) => todo.gate !== null && todo.status !== "superseded")
      .map(({ todo_id, gate }) => ({
        todo_id,
        ...(gate ?? newGate("decision", [])),
        left_out: 0,
        names_work: todos.some(
          (todo) => todo.role === "agent" && !isTerminal(todo) && gate?.blocks.includes(todo.todo_id) === true,
        ),
      })),
  };
}

/** What an agent is told: of what is asked the first five and how many there are in all. */
export function toTold({ decision, endsOpenTurn }: DecidedNext): object {
  if (decision.kind !== "ask_user") return { decision, endsOpenTurn };
  const { todoIds, moreCount = 0, ...rest } = decision;
  return { decision: { ...rest, first: todoIds.slice(0, 5), total: todoIds.length + moreCount }, endsOpenTurn };
}

/** Decides for both agents, from what is loaded and from everything, and answers what a1 is told. */
export async function expectSameDecisions(world: World): Promise<Decision> {
  const now = world.ambient.now();
  for (const agentId of ["a2", "a1"]) {
    const decided = decideNext(await loadFacts(world, agentId), now);
    expect(toTold(decided)).toEqual(toTold(decideNext(await loadAllFacts(world, agentId), now)));
    if (agentId === "a1") return decided.decision;
  }
  throw new Error("unreachable");
}
