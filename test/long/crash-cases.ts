import { join } from "node:path";
import { createOwnerToken } from "../support/create-owner-token.ts";
import { createWorld } from "../support/cli-world.ts";
import { readText } from "../support/read-field.ts";
import { addTodo, createWorkingGoal, nameTurn, openTurn, type WorkingGoal } from "../support/working-goal.ts";

/** A world made ready for one command, and the command. */
export interface PreparedCrash {
  readonly goal: WorkingGoal;
  readonly args: readonly string[];
  /** A file the command makes, which has to be whole or absent. */
  readonly output?: string;
}

export interface CrashCase {
  readonly name: string;
  /** The command commits in more than one transaction: any of them may be the last one kept. */
  readonly hasSteps?: true;
  readonly prepare: (program?: string) => Promise<PreparedCrash>;
}

type Arguments = (goal: WorkingGoal) => Promise<readonly string[]> | readonly string[];

function inGoal(name: string, toArguments: Arguments, hasSteps = false): CrashCase {
  const prepare: CrashCase["prepare"] = async (program) => {
    const goal = await createWorkingGoal(1, program === undefined ? {} : { program });
    return { goal, args: await toArguments(goal) };
  };
  return { name, prepare, ...(hasSteps ? { hasSteps: true } : {}) };
}

function intoFile(name: string, command: string): CrashCase {
  return {
    name,
    prepare: async (program) => {
      const goal = await createWorkingGoal(1, program === undefined ? {} : { program });
      await addTodo(goal, "Write the parser");
      const output = join(goal.world.directory, "output");
      return { goal, output, args: [command, `--output=${output}`] };
    },
  };
}

async function withTurn(goal: WorkingGoal): Promise<readonly string[]> {
  await addTodo(goal, "Write the parser");
  return nameTurn(goal, await openTurn(goal));
}

export const ADD_CASE = inGoal("todo add", ({ goalId }) => [
  ...["todo", "add", `--goal-id=${goalId}`, "--agent-id=agent-1", "--text=Write the parser"],
]);

export const CRASH_CASES: readonly CrashCase[] = [
  {
    name: "bootstrap",
    hasSteps: true,
    prepare: async (program) => {
      const world = createWorld(program === undefined ? {} : { program });
      return {
        goal: { world, goalId: "project-goal", agents: [] },
        args: ["bootstrap", "--objective=Ship the importer"],
      };
    },
  },
  inGoal(
    "register-agent",
    ({ goalId }) => ["register-agent", `--goal-id=${goalId}`, "--agent-id=agent-2", "--execute"],
    true,
  ),
  inGoal(
    "bind-agent-thread",
    ({ goalId }) => [
      ...["bind-agent-thread", `--goal-id=${goalId}`, "--thread-id=thread-1", "--host-surface=codex-app"],
      ...["--agent-id=agent-1", "--execute"],
    ],
    true,
  ),
  ADD_CASE,
  inGoal("todo claim", async (goal) => [
    ...["todo", "claim", `--goal-id=${goal.goalId}`, `--todo-id=${await addTodo(goal, "Write the parser")}`],
    "--agent-id=agent-1",
  ]),
  inGoal("quota should-run", async (goal) => {
    await addTodo(goal, "Write the parser");
    return ["quota", "should-run", `--goal-id=${goal.goalId}`, "--agent-id=agent-1"];
  }),
  inGoal("refresh-state", async (goal) => [
    ...["refresh-state", ...(await withTurn(goal)), "--outcome=progress", "--evidence=12 tests pass"],
  ]),
  inGoal("todo complete", async (goal) => [
    ...["todo", "complete", ...(await withTurn(goal)), "--evidence=Parser done", "--next-todo=Document it"],
  ]),
  inGoal("quota spend", async (goal) => {
    const turn = await withTurn(goal);
    await goal.world.call(["refresh-state", ...turn, "--outcome=progress", "--evidence=12 tests pass"]);
    return ["quota", "spend", ...turn];
  }),
  inGoal("gate decide", async (goal) => {
    const { world, goalId } = goal;
    const question = ["--role=user", "--task-class=user_gate", "--gate-kind=decision", "--text=May it ship?"];
    const gate = await world.call(["todo", "add", `--goal-id=${goalId}`, ...question, "--blocks=goal"]);
    return [
      ...["gate", "decide", `--goal-id=${goalId}`, `--gate-id=${readText(gate, "todo", "todo_id")}`],
      ...["--decision=approve", `--owner-token-file=${await createOwnerToken(world)}`],
    ];
  }),
  inGoal("gc", async (goal) => {
    const { world } = goal;
    const turn = await withTurn(goal);
    await world.call(["todo", "complete", ...turn, "--evidence=Parser done", "--next-todo=Document it"]);
    await world.call(["quota", "spend", ...turn]);
    return ["gc", "--keep-events=2", "--execute", `--owner-token-file=${await createOwnerToken(world)}`];
  }),
  inGoal("goal pause", ({ goalId }) => ["goal", "pause", `--goal-id=${goalId}`, "--agent-id=agent-1"]),
  inGoal("backup", () => ["backup"]),
  intoFile("backup --output", "backup"),
  intoFile("export --output", "export"),
];
