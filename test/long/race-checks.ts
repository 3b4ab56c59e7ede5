import { expect } from "vitest";
import { countEvents, findContradictions, listRows, loadProjectState } from "../support/project-state.ts";
import type { ProgramResult } from "../support/run-program.ts";
import { readField, readText } from "../support/read-field.ts";
import { addTodo, createWorkingGoal, nameTurn, openTurn, type WorkingGoal } from "../support/working-goal.ts";

/** Each check sets up its own world, so that the same check can run on the CLI and on one with a planted fault. */
export type RaceCheck = (program?: string) => Promise<void>;

/** Runs the check in a world of its own and removes it. */
export async function inWorkingGoal(
  agentCount: number,
  program: string | undefined,
  check: (goal: WorkingGoal) => Promise<void>,
): Promise<void> {
  const goal = await createWorkingGoal(agentCount, program === undefined ? {} : { program });
  try {
    await check(goal);
  } finally {
    goal.world.remove();
  }
}

/** Every process ended by itself with 0, and none of them spoke of a lock. */
export function expectAllAnswered(results: readonly ProgramResult[]): void {
  const failed = results.filter((result) => result.exitCode !== 0 || result.json === undefined);
  expect(failed.map(({ exitCode, stdout, stderr }) => ({ exitCode, stdout, stderr }))).toEqual([]);
}

function countWhere(results: readonly ProgramResult[], field: string): number {
  return results.filter(({ json }) => readField(json, field) === true).length;
}

const addArgs = ({ goalId }: WorkingGoal, text: string): string[] => [
  "todo",
  "add",
  `--goal-id=${goalId}`,
  "--agent-id=agent-1",
  `--text=${text}`,
];

export const keepsFiftyDistinctTodos: RaceCheck = (program) =>
  inWorkingGoal(1, program, async (goal) => {
    const results = await goal.world.spawnMany(50, (index) => addArgs(goal, `Write part ${index}`));
    expectAllAnswered(results);
    const state = await loadProjectState(goal.world);
    const reported = results.map(({ json }) => readText(json, "todo", "todo_id"));
    expect(new Set(reported).size).toBe(50);
    expect(
      listRows(state, "todos")
        .map((row) => String(row["todo_id"]))
        .toSorted(),
    ).toEqual(reported.toSorted());
    expect(new Set(listRows(state, "todos").map((row) => row["position"])).size).toBe(50);
    expect(countEvents(state, "todo_added.v1")).toBe(50);
    expect(findContradictions(state)).toEqual([]);
  });

export const addsOneOfFiftyIdenticalTodos: RaceCheck = (program) =>
  inWorkingGoal(1, program, async (goal) => {
    const results = await goal.world.spawnMany(50, () => addArgs(goal, "Write the parser"));
    expectAllAnswered(results);
    expect([countWhere(results, "added"), countWhere(results, "already_exists")]).toEqual([1, 49]);
    expect(new Set(results.map(({ json }) => readText(json, "todo", "todo_id"))).size).toBe(1);
    const state = await loadProjectState(goal.world);
    expect(listRows(state, "todos")).toHaveLength(1);
    expect(findContradictions(state)).toEqual([]);
  });

export const letsOneOfFiftyAgentsClaim: RaceCheck = (program) =>
  inWorkingGoal(50, program, async (goal) => {
    const todoId = await addTodo(goal, "Write the parser");
    const claim = (index: number): string[] => [
      ...["todo", "claim", `--goal-id=${goal.goalId}`],
      ...[`--todo-id=${todoId}`, `--agent-id=${goal.agents[index]}`],
    ];
    const results = await goal.world.spawnMany(50, claim);
    const winners = results.flatMap(({ exitCode }, index) => (exitCode === 0 ? [goal.agents[index]] : []));
    const codes = results.filter(({ exitCode }) => exitCode !== 0).map(({ json }) => readField(json, "error", "code"));
    expect(winners).toHaveLength(1);
    expect(codes).toEqual(Array.from({ length: 49 }, () => "todo_claimed_by_other"));
    const state = await loadProjectState(goal.world);
    expect(listRows(state, "todos")[0]?.["claimed_by"]).toBe(winners[0]);
    expect(countEvents(state, "todo_claimed.v1")).toBe(1);
    expect(findContradictions(state)).toEqual([]);
  });

export const opensOneTurnForOneIdentity: RaceCheck = (program) =>
  inWorkingGoal(1, program, async (goal) => {
    await addTodo(goal, "Write the parser");
    await addTodo(goal, "Write the printer");
    const ask = ["quota", "should-run", `--goal-id=${goal.goalId}`, "--agent-id=agent-1"];
    const results = await goal.world.spawnMany(50, () => ask);
    expectAllAnswered(results);
    expect(new Set(results.map(({ json }) => readText(json, "turn", "turn_id"))).size).toBe(1);
    const state = await loadProjectState(goal.world);
    expect([countEvents(state, "turn_opened.v1"), countEvents(state, "todo_claimed.v1")]).toEqual([1, 1]);
    expect(findContradictions(state)).toEqual([]);
  });

export const givesNoTodoToTwoTurns: RaceCheck = (program) =>
  inWorkingGoal(20, program, async (goal) => {
    for (const part of [1, 2, 3, 4, 5]) await addTodo(goal, `Write part ${part}`);
    const results = await goal.world.spawnMany(20, (index) => [
      ...["quota", "should-run", `--goal-id=${goal.goalId}`, `--agent-id=${goal.agents[index]}`],
    ]);
    expectAllAnswered(results);
    const running = results.filter(({ json }) => readField(json, "decision") === "run");
    expect(new Set(running.map(({ json }) => readText(json, "todo", "todo_id"))).size).toBe(5);
    expect(running).toHaveLength(5);
    const state = await loadProjectState(goal.world);
    const taken = listRows(state, "turns")
      .map((turn) => String(turn["todo_id"]))
      .filter((id) => id.startsWith("todo_"));
    expect(taken.toSorted()).toEqual([...new Set(taken)].toSorted());
    expect(findContradictions(state)).toEqual([]);
  });

export const settlesOneTurnOnce: RaceCheck = (program) =>
  inWorkingGoal(1, program, async (goal) => {
    await addTodo(goal, "Write the parser");
    const turn = nameTurn(goal, await openTurn(goal));
    const record = ["refresh-state", ...turn, "--outcome=progress", "--evidence=12 tests pass"];
    const recorded = await goal.world.spawnMany(20, () => record);
    expectAllAnswered(recorded);
    expect([countWhere(recorded, "recorded"), countWhere(recorded, "already_recorded")]).toEqual([1, 19]);
    expect(new Set(recorded.map(({ json }) => readText(json, "evidence_id"))).size).toBe(1);

    const complete = ["todo", "complete", ...turn, "--evidence=Parser done", "--next-todo=Document it"];
    const completed = await goal.world.spawnMany(20, () => complete);
    expectAllAnswered(completed);
    expect([countWhere(completed, "completed"), countWhere(completed, "already_done")]).toEqual([1, 19]);

    const spent = await goal.world.spawnMany(20, () => ["quota", "spend", ...turn]);
    expectAllAnswered(spent);
    expect([countWhere(spent, "spent"), countWhere(spent, "already_spent")]).toEqual([1, 19]);
    expect(await goal.world.call(["quota", "status"])).toMatchObject({ used_turns: 1 });

    const state = await loadProjectState(goal.world);
    expect(["turn_settled.v1", "todo_completed.v1", "todo_added.v1"].map((type) => countEvents(state, type))).toEqual([
      1, 1, 2,
    ]);
    const ofTurn = listRows(state, "evidence").filter((row) => row["turn_id"] !== null);
    expect(ofTurn).toHaveLength(1);
    expect(findContradictions(state)).toEqual([]);
  });
