import { findRefusedCommands } from "../../support/printed-commands.ts";
import { readField, readText } from "../../support/read-field.ts";
import type { ProgramResult } from "../../support/run-program.ts";
import type { ShellWorld } from "../../support/shell-world.ts";

/** One todo as the robot's planner wrote it: the words for the packet's template, and flags it adds on its own. */
export interface PlannedTodo {
  readonly text: string;
  readonly priority: string;
  readonly extraFlags?: string;
}

/** A choice of a gate, as far as every gate's choices are alike. */
export interface GateChoice {
  readonly [field: string]: unknown;
}

/** How a robot answers the gates it meets. It sees the choices and nothing else. */
export interface RobotCharacter {
  readonly env: Readonly<Record<string, string>>;
  readonly pickChoice: (gate: string, choices: readonly GateChoice[]) => GateChoice | undefined;
}

export interface Robot {
  /** Every gate it was stopped by, in order. */
  readonly gates: readonly string[];
  /** Every command line it ran, in order. */
  readonly commands: readonly string[];
  /** Runs a command line as it stands and gives its packet; throws when it fails or prints a command that is none. */
  readonly run: (line: string) => Promise<unknown>;
  /** The same for a line that must be refused. */
  readonly runRefused: (line: string) => Promise<ProgramResult>;
  /** Runs a start and answers its gates until nothing blocks it. */
  readonly start: (line: string) => Promise<unknown>;
}

const GATES = ["host_surface_selection_gate", "goal_selection_gate", "identity_selection_gate"] as const;

/** A program that knows nothing of LoopX but how its packets are read. */
export function createRobot(world: ShellWorld, character: RobotCharacter): Robot {
  const gates: string[] = [];
  const commands: string[] = [];
  const execute = async (line: string): Promise<ProgramResult> => {
    commands.push(line);
    const result = await world.shell(line, { env: character.env });
    const refused = findRefusedCommands(result.json);
    if (refused.length > 0) throw new Error(`${line}\nprints what is no command:\n${refused.join("\n")}`);
    return result;
  };
  const run = async (line: string): Promise<unknown> => {
    const result = await execute(line);
    if (result.exitCode === 0 && readField(result.json, "ok") === true) return result.json;
    throw new Error(`${line}: exit ${result.exitCode}\n${result.stdout}${result.stderr}`);
  };
  const runRefused = async (line: string): Promise<ProgramResult> => {
    const result = await execute(line);
    if (result.exitCode !== 0) return result;
    throw new Error(`${line} was to be refused\n${result.stdout}`);
  };
  const start = async (line: string): Promise<unknown> => {
    const packet = await run(line);
    const gateName = GATES.find((name) => readField(packet, name) !== undefined);
    if (gateName === undefined) return packet;
    if (gates.push(gateName) > 6) throw new Error(`gates without end: ${gates.join(", ")}`);
    const gate = readField(packet, gateName);
    const choice = character.pickChoice(gateName, listChoices(gate));
    if (choice === undefined) throw new Error(`nothing to pick at ${JSON.stringify(gate)}`);
    if (choice["first_command"] !== undefined) await run(readText(choice, "first_command"));
    const argument = choice["rerun_argument"];
    const rerun = readText(gate, "rerun_command");
    return start(typeof argument === "string" ? `${rerun} ${argument}` : rerun);
  };
  return { gates, commands, run, runRefused, start };
}

function listChoices(gate: unknown): readonly GateChoice[] {
  const listed = readField(gate, "choices");
  const choices: readonly unknown[] = Array.isArray(listed) ? listed : [];
  return [...choices, readField(gate, "new_goal_choice")].flatMap((choice) =>
    typeof choice === "object" && choice !== null ? [Object.fromEntries(Object.entries(choice))] : [],
  );
}

/** Does the ordered steps of a start; gives the packets by step id. A step's expected result must be in its packet. */
export async function followSteps(
  robot: Robot,
  start: unknown,
  plan: readonly PlannedTodo[],
): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const packets = new Map<string, readonly unknown[]>();
  const steps = readField(start, "guided_transaction", "ordered_steps");
  if (!Array.isArray(steps)) throw new Error("a start without ordered steps");
  for (const step of steps) packets.set(readText(step, "id"), await followStep(robot, { start, step, plan }));
  return packets;
}

async function followStep(
  robot: Robot,
  { start, step, plan }: { readonly start: unknown; readonly step: unknown; readonly plan: readonly PlannedTodo[] },
): Promise<readonly unknown[]> {
  const see = readField(step, "see");
  if (typeof see === "string" && readField(start, see) === undefined) throw new Error(`the packet has no ${see}`);
  const command = readField(step, "command");
  if (typeof command === "string") {
    const packet = await robot.run(command);
    checkExpected(packet, readField(step, "expected_result"));
    return [packet];
  }
  const template = readField(step, "command_template");
  if (typeof template !== "string") return [];
  const packets: unknown[] = [];
  for (const todo of plan) packets.push(await robot.run(writeTodo(template, todo)));
  return packets;
}

function writeTodo(template: string, todo: PlannedTodo): string {
  const line = fill(template, { "P0|P1|P2": todo.priority, "todo text": todo.text });
  return todo.extraFlags === undefined ? line : `${line} ${todo.extraFlags}`;
}

/** Puts values in the place of a line's `<…>` words, quoted as the word around them is. */
export function fill(line: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce(
    (filled, [word, value]) => filled.replaceAll(`<${word}>`, () => value.replaceAll("'", String.raw`'\''`)),
    line,
  );
}

function checkExpected(packet: unknown, expected: unknown): void {
  if (typeof expected !== "object" || expected === null) {
    if (expected !== undefined && packet !== expected) {
      throw new Error(`${JSON.stringify(expected)} was expected, not ${JSON.stringify(packet)}`);
    }
    return;
  }
  for (const [key, value] of Object.entries(expected)) checkExpected(readField(packet, key), value);
}

/** The one step or next command of a packet that begins with these words and leaves nothing open. */
export function pickCommand(packet: unknown, words: string): string | undefined {
  const next = readField(packet, "next");
  // A list in it holds alternatives.
  const steps: readonly unknown[] = Array.isArray(next) ? next.flat() : [];
  const commands = steps.filter((line): line is string => typeof line === "string");
  const matching = commands.filter((line) => line.startsWith(`loopx ${words} `));
  return matching.find((line) => !line.includes("<")) ?? matching[0];
}

/** How a turn went. */
export type TurnAnswer =
  | { readonly kind: "settled" }
  | { readonly kind: "asked"; readonly command: string }
  | { readonly kind: "done" };

/** Asks what may be done, does it, records, completes and spends: all by the commands of the guard's packet. */
export async function takeTurn(robot: Robot, guard: string): Promise<TurnAnswer> {
  const packet = await robot.run(guard);
  const decision = readText(packet, "decision");
  if (decision === "done") return { kind: "done" };
  if (decision === "ask_user") return { kind: "asked", command: pickCommand(packet, "gate decide") ?? "" };
  if (decision !== "run") throw new Error(`nothing to do: ${JSON.stringify(packet)}`);
  const record = pickCommand(packet, "refresh-state");
  if (record !== undefined) {
    await robot.run(
      fill(record, {
        "progress|primary_outcome|no_change|blocked": "progress",
        "what was done and how it was checked": "did 'it', and looked",
      }),
    );
  }
  await robot.run(pickCommand(packet, "todo complete") ?? "");
  await robot.run(pickCommand(packet, "quota spend") ?? "");
  return { kind: "settled" };
}
