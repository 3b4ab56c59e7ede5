import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toInstant } from "@loopx/contracts";
import { openSqlite, verifyIntegrity } from "@loopx/store";
import { expect } from "vitest";
import {
  findContradictions,
  listEventTypes,
  loadProjectState,
  parseExport,
  type ProjectState,
} from "../support/project-state.ts";
import { readField } from "../support/read-field.ts";
import type { ProgramResult } from "../support/run-program.ts";
import { killAtSystemCall, recordSystemCalls, type SystemCall } from "../support/system-calls.ts";
import { takeSnapshot } from "../support/world-snapshot.ts";
import { PROJECT_SCHEMA } from "../../packages/loopx/src/project/project-schema.ts";
import type { CrashCase, PreparedCrash } from "./crash-cases.ts";

const MOST_KILLS = 25;

/** What a case did. */
export interface CrashReport {
  /** Kills that came to pass, by the name of the call. */
  readonly kills: ReadonlyMap<string, number>;
  /** Kills after which the change was there, and those after which it was not. */
  readonly keptCount: number;
  readonly absentCount: number;
}

/** The case's event types: before its command, after it, and after the same command was given again. */
interface Course {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly again: readonly string[];
}

/** Kills the case's command at one system call after the other and checks what is left each time. */
export async function killAtEveryCall(
  crash: CrashCase,
  program?: string,
  mostKills = MOST_KILLS,
): Promise<CrashReport> {
  const prepared = await crash.prepare(program);
  const { world } = prepared.goal;
  const snapshot = takeSnapshot(world);
  const report = { kills: new Map<string, number>(), keptCount: 0, absentCount: 0 };
  try {
    const { calls, course } = await rehearse(prepared, snapshot.restore);
    for (const [index, call] of chooseCalls(calls, mostKills).entries()) {
      snapshot.restore();
      const killed = await killAtSystemCall(world, prepared.args, call);
      // A thread that got its work in another order never reaches the call: then this was an ordinary run.
      const wasKilled = killed.signal === "SIGKILL" || killed.exitCode === 137;
      if (wasKilled) report.kills.set(call.name, (report.kills.get(call.name) ?? 0) + 1);
      const place = `${crash.name}, killed at ${call.name} ${call.occurrence} (${call.subject})`;
      const isKept = await checkWhatIsLeft({ crash, prepared, course, killed, place }, index % 2 === 0);
      if (isKept) report.keptCount += 1;
      else report.absentCount += 1;
    }
    return report;
  } finally {
    world.remove();
    snapshot.remove();
  }
}

async function rehearse(
  { goal, args }: PreparedCrash,
  restore: () => void,
): Promise<{ readonly calls: readonly SystemCall[]; readonly course: Course }> {
  const before = await loadEventTypes(goal);
  const calls = await recordSystemCalls(goal.world, args);
  const after = await loadEventTypes(goal);
  await goal.world.run(args);
  const again = await loadEventTypes(goal);
  restore();
  return { calls, course: { before, after, again } };
}

/** Every call that changes a directory or syncs, and as many of the others, evenly, as there is room for. */
function chooseCalls(calls: readonly SystemCall[], most: number): readonly SystemCall[] {
  const unique = [...new Map(calls.map((call) => [`${call.name} ${call.occurrence}`, call])).values()];
  const decisive = takeEvenly(unique.filter(isDecisive), Math.ceil(most * 0.7));
  return [
    ...decisive,
    ...takeEvenly(
      unique.filter((call) => !isDecisive(call)),
      most - decisive.length,
    ),
  ];
}

function isDecisive({ name }: SystemCall): boolean {
  return !["pwrite64", "fcntl", "openat"].includes(name);
}

function takeEvenly<Item>(items: readonly Item[], count: number): readonly Item[] {
  if (items.length <= count) return items;
  return items.filter(
    (_, index) => Math.floor((index * count) / items.length) !== Math.floor(((index - 1) * count) / items.length),
  );
}

interface Aftermath {
  readonly crash: CrashCase;
  readonly prepared: PreparedCrash;
  readonly course: Course;
  readonly killed: ProgramResult;
  readonly place: string;
}

/** True when the change was kept. Half of the kills are met by a reader first, half by the same command once more. */
async function checkWhatIsLeft(aftermath: Aftermath, isReadFirst: boolean): Promise<boolean> {
  const { crash, prepared, course, killed, place } = aftermath;
  const { world } = prepared.goal;
  const wasReported = readField(killed.json, "ok") === true;
  const registry = readRegistry(world.loopxHome);
  expect(registry, `${place}: the registry file`).not.toBe("torn");
  let isKept = wasReported;

  if (isReadFirst) {
    const status = await world.run(["status"]);
    expect(toAnswer(status), place).toBe("answered");
    const state = await loadStateIfConnected(prepared.goal);
    if (state !== undefined) {
      expect(findContradictions(state), place).toEqual([]);
      const events = listEventTypes(state);
      if (crash.hasSteps === true) {
        expect(events, place).toEqual(course.after.slice(0, events.length));
        expect(events.length, place).toBeGreaterThanOrEqual(course.before.length);
      } else {
        expect([course.before.join(), course.after.join()], place).toContain(events.join());
      }
      isKept = events.join() === course.after.join();
    }
    if (wasReported) expect(isKept, `${place}: reported, but lost`).toBe(true);
  }
  const isFileThere = await checkOutput(prepared, place);
  if (wasReported && prepared.output !== undefined) expect(isFileThere, `${place}: reported, but lost`).toBe(true);

  const again = await world.run(prepared.args);
  if (isFileThere) expect(readField(again.json, "error", "code"), place).toBe("file_not_writable");
  else expect({ exitCode: again.exitCode, stdout: again.stdout }, place).toMatchObject({ exitCode: 0 });
  const state = await loadProjectState(world);
  expect(findContradictions(state), place).toEqual([]);
  const { after, again: repeated } = course;
  expect([after.join(), repeated.join()], place).toContain(listEventTypes(state).join());

  const doctor = await world.run(["doctor"]);
  expect(doctor.json, place).toMatchObject({ ok: true });
  expect(readRegistry(world.loopxHome), place).toContain(prepared.goal.goalId);
  return isKept;
}

/** "answered", or what a command said that was killed off by the crash before it. */
function toAnswer({ exitCode, json, stdout, stderr }: ProgramResult): string {
  const code = readField(json, "error", "code");
  if (exitCode === 0 || code === "project_not_connected" || code === "project_not_resolved") return "answered";
  return `${exitCode}: ${stdout}${stderr}`;
}

async function loadEventTypes({ world }: PreparedCrash["goal"]): Promise<readonly string[]> {
  const state = await loadStateIfConnected({ world, goalId: "", agents: [] });
  return state === undefined ? [] : listEventTypes(state);
}

/** Undefined only where the project has no store, or one that no bootstrap finished yet. */
async function loadStateIfConnected({ world }: PreparedCrash["goal"]): Promise<ProjectState | undefined> {
  const result = await world.run(["export"]);
  if (result.exitCode === 0) return loadProjectState(world);
  const code = readField(result.json, "error", "code");
  if (code === "project_not_connected" || code === "project_not_resolved") return undefined;
  throw new Error(`export after a kill: exit ${result.exitCode} ${result.stdout}${result.stderr}`);
}

/** The registry file's text: empty where there is none, "torn" when it does not parse. */
function readRegistry(loopxHome: string): string {
  const path = join(loopxHome, "registry.global.json");
  if (!existsSync(path)) return "";
  const text = readFileSync(path, "utf8");
  try {
    JSON.parse(text);
    return text;
  } catch {
    return "torn";
  }
}

/** Whether the command's file is there; if so, it has to be whole. */
async function checkOutput({ output, args }: PreparedCrash, place: string): Promise<boolean> {
  if (output === undefined || !existsSync(output)) return false;
  if (args[0] === "export") {
    const state = parseExport(readFileSync(output, "utf8").trimEnd().split("\n"));
    expect(listEventTypes(state).length, place).toBeGreaterThan(0);
    expect(findContradictions(state), place).toEqual([]);
    return true;
  }
  const copy = await openSqlite({
    path: output,
    label: "backup",
    access: "read",
    journal: "rollback",
    migrations: PROJECT_SCHEMA,
    now: () => toInstant(0),
  });
  expect(await verifyIntegrity(copy, "full"), place).toEqual([]);
  await copy.close();
  return true;
}
