import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRecallWorld, type RecallWorld } from "../support/recall-world.ts";
import { readField, readText } from "../support/read-field.ts";
import { createWorkingGoal } from "../support/working-goal.ts";

/** A world in which every command that writes has something to do. */
export interface BusyWorld extends RecallWorld {
  /** `g1`'s todos: one in an open turn with evidence, one that nobody holds, one that `a3` holds, one that is done. */
  readonly todos: Readonly<Record<"running" | "free" | "held" | "done", string>>;
  readonly turn: string;
  readonly gate: string;
  readonly tokenId: string;
  /** An export of a goal that this machine doesn't have. */
  readonly exported: string;
}

const GOAL = "--goal-id=g1";

/** Makes it with commands alone; the second goal, `g2`, is paused. */
export async function createBusyWorld(program?: string): Promise<BusyWorld> {
  const world = await createRecallWorld(program);
  const add = async (text: string, ...more: readonly string[]): Promise<string> =>
    readText(await world.call(["todo", "add", GOAL, "--agent-id=a2", `--text=${text}`, ...more]), "todo", "todo_id");
  for (const lane of ["a2", "a3", "a4"]) await world.call(["register-agent", GOAL, `--agent-id=${lane}`, "--execute"]);
  const bind = [
    "bind-agent-thread",
    GOAL,
    "--agent-id=a4",
    "--thread-id=bound",
    "--host-surface=codex-app",
    "--execute",
  ];
  await world.call(bind);
  const running = await add("Write the parser", "--priority=P0");
  const opened = await world.call(["quota", "should-run", GOAL, "--agent-id=a1"]);
  const turn = readText(opened, "turn", "turn_id");
  const named = [GOAL, "--agent-id=a1", `--turn=${turn}`, `--todo-id=${running}`];
  await world.call(["refresh-state", ...named, "--outcome=progress", "--evidence=12 tests pass"]);
  const todos = { running, free: await add("Write the printer"), held: await add("Draw it"), done: await add("Think") };
  await world.call(["todo", "claim", GOAL, `--todo-id=${todos.held}`, "--agent-id=a3"]);
  await world.call([
    "todo",
    "complete",
    GOAL,
    `--todo-id=${todos.done}`,
    "--agent-id=a2",
    "--evidence=Thought",
    "--no-follow-up",
  ]);
  const asked = ["--role=user", "--task-class=user_gate", "--gate-kind=decision", `--blocks=${todos.held}`];
  const gate = await add("May it ship?", ...asked);
  await world.call(["bootstrap", "--new-goal", "--objective=Rest", "--goal-id=g2"]);
  await world.call(["goal", "pause", "--goal-id=g2"]);
  await prepareDecision(world);
  await attachContext(world);
  const listed = await world.call(["owner", "token", "list", `--owner-token-file=${world.token}`]);
  await world.call(["backup"]);
  const exported = join(world.directory, "elsewhere.jsonl");
  await exportElsewhere(exported, program);
  return { ...world, todos, turn, gate, exported, tokenId: readText(readField(listed, "tokens"), 0, "token_id") };
}

async function prepareDecision(world: RecallWorld): Promise<void> {
  const rebase = join(world.directory, "rebase.json");
  writeFileSync(rebase, '{"semantic_no_change":true}');
  await world.decide("prepare-review", [`--rebase-json=${rebase}`, "--execute"]);
}

/** A context project as `context init` writes it, attached under its one profile. */
async function attachContext(world: RecallWorld): Promise<void> {
  await world.call(["context", "init", "--output=desk", "--id=desk"]);
  await world.call([...attachWords(), "--agent-id=a1"]);
}

/** The words that attach it. */
export function attachWords(): readonly string[] {
  const asked = ["--binding=desk", "--objective=answer-ticket", "--consumer=support-agent"];
  return ["context", "attach", GOAL, "--project=desk", ...asked];
}

async function exportElsewhere(path: string, program: string | undefined): Promise<void> {
  const other = await createWorkingGoal(1, { projectName: "elsewhere", ...(program === undefined ? {} : { program }) });
  await other.world.call(["export", `--output=${path}`]);
  other.world.remove();
}
