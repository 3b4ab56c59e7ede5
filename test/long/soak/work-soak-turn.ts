import { readField } from "../../support/read-field.ts";
import type { SoakGoal } from "./create-soak-world.ts";
import type { SoakCommands } from "./run-soak-command.ts";
import { count, type SoakRecord } from "./soak-record.ts";

/** One agent at one goal. */
export interface SoakWorker {
  readonly agentId: string;
  readonly goal: SoakGoal;
  readonly commands: SoakCommands;
  readonly record: SoakRecord;
  readonly random: () => number;
}

/**
 * Asks for a turn and works it to its end, as far as no kill comes between. True when there is reason to ask again at once:
 * a program was killed, and an agent that starts again goes on with what it held.
 */
export async function workSoakTurn(worker: SoakWorker): Promise<boolean> {
  const { agentId, goal, commands, record } = worker;
  const lane = [`--goal-id=${goal.goalId}`, `--agent-id=${agentId}`];
  const asked = await commands.run(["quota", "should-run", ...lane]);
  if (asked === undefined) return true;
  const decision = readField(asked.json, "decision");
  const turnId = readField(asked.json, "turn", "turn_id");
  if (decision === "repair") return repair(worker, asked.json, lane);
  if ((decision !== "run" && decision !== "replan") || typeof turnId !== "string") return false;
  if (decision === "replan") return replan(worker, turnId, lane);
  const todoId = String(readField(asked.json, "todo", "todo_id"));
  record.turns.push({ goalId: goal.goalId, agentId, turnId, todoId, givenAt: performance.now() });
  return settle(worker, { turnId, todoId }, lane);
}

async function settle(
  worker: SoakWorker,
  { turnId, todoId }: { readonly turnId: string; readonly todoId: string },
  lane: readonly string[],
): Promise<boolean> {
  const { goal, commands, record, random } = worker;
  const turn = [...lane, `--turn=${turnId}`];
  const text = `12 tests pass in ${turnId}`;
  const recorded = await commands.run([
    ...["refresh-state", ...turn, `--todo-id=${todoId}`, "--outcome=progress", `--evidence=${text}`],
  ]);
  if (recorded === undefined) return true;
  if (recorded.isOk) record.evidence.set(`${goal.goalId}/${turnId}`, text);
  const next = `Part ${Math.floor(random() * 1e9)} of ${goal.goalId}`;
  const startedAt = performance.now();
  const completed = await commands.run([
    ...["todo", "complete", ...turn, `--todo-id=${todoId}`, "--evidence=Part done", `--next-todo=${next}`],
  ]);
  if (completed === undefined) return true;
  if (completed.isOk) {
    if (readField(completed.json, "completed") === true)
      record.completions.push({ goalId: goal.goalId, todoId, turnId, startedAt });
    const nextId = readField(completed.json, "next_todo", "todo_id");
    if (typeof nextId === "string") record.addedTodos.add(`${goal.goalId}/${nextId}`);
  }
  const isKilled = await spend(worker, turnId, lane);
  if (isKilled) return true;
  await doBeside(worker, lane);
  return false;
}

/** True when the program was killed. */
async function spend(
  { goal, commands, record }: SoakWorker,
  turnId: string,
  lane: readonly string[],
): Promise<boolean> {
  const spent = await commands.run(["quota", "spend", ...lane, `--turn=${turnId}`]);
  if (spent?.isOk === true)
    count(record.charges, `${goal.goalId}/${turnId}`, readField(spent.json, "spent") === true ? 1 : 0);
  return spent === undefined;
}

/** A planning turn writes one todo. */
async function replan(worker: SoakWorker, turnId: string, lane: readonly string[]): Promise<boolean> {
  const { commands } = worker;
  const added = await addTodo(worker, lane);
  if (added === undefined) return true;
  const text = `--evidence=Planned in ${turnId}`;
  const recorded = await commands.run(["refresh-state", ...lane, `--turn=${turnId}`, "--outcome=progress", text]);
  if (recorded === undefined) return true;
  return spend(worker, turnId, lane);
}

async function addTodo({ goal, commands, record, random }: SoakWorker, lane: readonly string[]) {
  const added = await commands.run(["todo", "add", ...lane, `--text=Plan ${Math.floor(random() * 1e9)}`]);
  const todoId = readField(added?.json, "todo", "todo_id");
  if (added?.isOk === true && typeof todoId === "string") record.addedTodos.add(`${goal.goalId}/${todoId}`);
  return added;
}

/** A turn that lapsed is charged; turns that came to nothing are accounted for in words. */
async function repair(worker: SoakWorker, answer: unknown, lane: readonly string[]): Promise<boolean> {
  const turnId = /--turn=(turn_[a-z0-9]+)/.exec(JSON.stringify(answer))?.[1];
  if (turnId !== undefined && JSON.stringify(answer).includes("quota spend")) return spend(worker, turnId, lane);
  const note = ["--outcome=blocked", "--evidence=It was killed and started again"];
  return (await worker.commands.run(["refresh-state", ...lane, ...note])) === undefined;
}

/** Now and then: finished work is archived, and an owner is asked something. */
async function doBeside(worker: SoakWorker, lane: readonly string[]): Promise<void> {
  const { agentId, goal, commands, record, random } = worker;
  const dice = random();
  if (dice < 0.2) await commands.run(["todo", "archive", ...lane, "--completed"]);
  else if (dice < 0.27) {
    const question = [`--text=May ${agentId} go on after ${Math.floor(random() * 1e9)}?`, `--blocks=agent:${agentId}`];
    const gate = await commands.run([
      ...["todo", "add", ...lane, "--role=user", "--task-class=user_gate", "--gate-kind=decision", ...question],
    ]);
    const gateId = readField(gate?.json, "todo", "todo_id");
    if (gate?.isOk === true && typeof gateId === "string") record.gates.set(`${goal.goalId}/${gateId}`, false);
  }
}
