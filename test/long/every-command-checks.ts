import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { readStores } from "../support/open-stores.ts";
import { readField } from "../support/read-field.ts";
import type { ProgramResult } from "../support/run-program.ts";
import { killAtSystemCall, recordSystemCalls, type SystemCall } from "../support/system-calls.ts";
import type { WorldSnapshot } from "../support/world-snapshot.ts";
import { createBusyWorld, type BusyWorld } from "./busy-world.ts";
import type { KilledCommand } from "./every-command-cases.ts";
import { takeSnapshot } from "../support/world-snapshot.ts";

/** Kills of one command: at its first sync, at its commit and behind it, and one anywhere. */
const KILLS = 4;

export interface BusyDesk {
  readonly world: BusyWorld;
  readonly snapshot: WorldSnapshot;
  readonly remove: () => void;
}

/** A world that each command begins with anew. */
export async function openBusyDesk(program?: string): Promise<BusyDesk> {
  const world = await createBusyWorld(program);
  const snapshot = takeSnapshot(world);
  const remove = (): void => {
    world.remove();
    snapshot.remove();
  };
  return { world, snapshot, remove };
}

export interface KillCount {
  readonly kills: number;
  readonly kept: number;
  readonly absent: number;
}

/** What a command does in a world where nothing disturbs it: first, and given once more. */
interface Course {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly again: readonly string[];
  readonly firstAnswer: string;
  readonly secondAnswer: string;
}

/** Kills a command at some of its system calls, and checks each time what is left and that the same command goes on. */
export async function killCommand(
  { world, snapshot }: BusyDesk,
  name: string,
  command: KilledCommand,
): Promise<KillCount> {
  const args = command.words(world);
  snapshot.restore();
  const before = (await readStores(world)).events;
  const calls = await recordSystemCalls(world, args);
  const after = (await readStores(world)).events;
  snapshot.restore();
  const first = await world.run(args);
  const second = await world.run(args);
  const answers = { firstAnswer: toAnswer(first), secondAnswer: toAnswer(second) };
  const course: Course = { before, after, again: (await readStores(world)).events, ...answers };
  expect(first.exitCode, `${name}: ${first.stdout}`).toBe(0);
  const count = { kills: 0, kept: 0, absent: 0 };
  for (const [index, call] of chooseCalls(calls).entries()) {
    snapshot.restore();
    const killed = await killAtSystemCall(world, args, call);
    if (killed.signal === "SIGKILL" || killed.exitCode === 137) count.kills += 1;
    const place = `${name}, killed at ${call.name} ${call.occurrence} (${call.subject})`;
    const isKept = await checkLeft({ world, args, command, course, killed, place }, index % 2 === 0);
    count[isKept ? "kept" : "absent"] += 1;
  }
  return count;
}

interface Left {
  readonly world: BusyWorld;
  readonly args: readonly string[];
  readonly command: KilledCommand;
  readonly course: Course;
  readonly killed: ProgramResult;
  readonly place: string;
}

/** Whether the change was kept. Half of the kills are met by a reader first, half by the same command once more. */
async function checkLeft(left: Left, isReadFirst: boolean): Promise<boolean> {
  const { world, args, command, course, killed, place } = left;
  const wasReported = readField(killed.json, "ok") === true;
  expect(listTornDocuments(world), place).toEqual([]);
  if (isReadFirst) {
    const { faults, events } = await readStores(world);
    expect(faults, place).toEqual([]);
    if (command.replacesState !== true) expectOneOf(command, course, events, place);
    if (wasReported) expect(events.length, `${place}: reported, but lost`).toBe(course.after.length);
  }
  const again = await world.run(args);
  const answer = toAnswer(again);
  expect(again.exitCode, `${place}: ${again.stdout}${again.stderr}`).not.toBe(70);
  if (wasReported) expect(answer, `${place}: reported, but lost`).toBe(course.secondAnswer);
  else if (command.hasSteps !== true) expect([course.firstAnswer, course.secondAnswer], place).toContain(answer);
  const { faults, events } = await readStores(world);
  expect(faults, place).toEqual([]);
  if (command.replacesState !== true) {
    expect([course.after, course.again].map(toNames), `${place}, given again`).toContain(toNames(events));
  }
  expect(listTornDocuments(world), place).toEqual([]);
  return answer === course.secondAnswer && course.firstAnswer !== course.secondAnswer;
}

function expectOneOf(
  { hasSteps }: KilledCommand,
  { before, after }: Course,
  events: readonly string[],
  place: string,
): void {
  const isPart = events.every((event) => after.includes(event)) && before.every((event) => events.includes(event));
  expect(isPart, place).toBe(true);
  if (hasSteps !== true) expect([before.length, after.length], place).toContain(events.length);
}

function toNames(events: readonly string[]): string {
  return events.join("\n");
}

/** What an answer says in words of its own: its code, and each true or false of it. */
function toAnswer({ exitCode, json }: ProgramResult): string {
  const fields = typeof json === "object" && json !== null ? Object.entries(json) : [];
  const flags = fields
    .filter(([, value]) => typeof value === "boolean")
    .map(([key, value]) => `${key}=${String(value)}`);
  return [exitCode, String(readField(json, "error", "code")), ...flags.toSorted()].join(" ");
}

/** JSON files of ours that do not parse, but for those that have no final name yet. */
function listTornDocuments(world: BusyWorld): readonly string[] {
  return readdirSync(world.directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes(".tmp/"))
    .filter((path) => !isJson(readFileSync(path, "utf8")));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The calls around the commit, where there are any, and the rest evenly. */
function chooseCalls(calls: readonly SystemCall[]): readonly SystemCall[] {
  const commit = calls.findLastIndex(({ name, subject }) => name === "unlink" && subject.includes("state.db-journal"));
  const around = commit < 0 ? [] : [calls.find(({ name }) => name === "fsync"), calls[commit], calls[commit + 1]];
  const chosen = new Set(around.filter((call) => call !== undefined));
  const wanted = KILLS - chosen.size;
  for (let index = 1; index <= wanted; index += 1) {
    const call = calls[Math.floor((index * calls.length) / (wanted + 1))];
    if (call !== undefined) chosen.add(call);
  }
  return [...chosen];
}
