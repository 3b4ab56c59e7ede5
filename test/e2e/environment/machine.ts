import { spawn } from "@lydell/node-pty";
import { createHash } from "node:crypto";
import { chmodSync, chownSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, onTestFinished } from "vitest";
import { createWorld, type RunOptions, type World, type WorldOptions } from "../../support/cli-world.ts";
import { readField } from "../../support/read-field.ts";
import { runProgram, type ProgramResult } from "../../support/run-program.ts";

/** A user without rights; root tests as it, since root may write everywhere. Anybody else is without rights already. */
export const STRANGER = process.getuid?.() === 0 ? 65_534 : undefined;

/** A world that is gone when the test is. */
export function createMachine(options?: WorldOptions): World {
  const world = createWorld(options);
  chmodSync(world.directory, 0o755);
  onTestFinished(() => {
    setWritable(world.directory, true);
    world.remove();
  });
  return world;
}

/** A project with one goal, one lane and one todo. */
export async function connectProject(world: World, options?: RunOptions): Promise<string> {
  const connected = await world.call(["bootstrap", "--project=.", "--objective=Ship the importer"], options);
  const goalId = String(readField(connected, "goal", "goal_id"));
  await world.call(["register-agent", `--goal-id=${goalId}`, "--agent-id=codex-main", "--execute"], options);
  await world.call(["todo", "add", `--goal-id=${goalId}`, "--role=agent", "--text=Parse quoted fields"], options);
  return goalId;
}

/** Runs the CLI and checks what holds for every answer: no stack trace, no path of this machine. */
export async function ask(world: World, words: readonly string[], options?: RunOptions): Promise<ProgramResult> {
  return checkAnswer(world, await world.run(words, options));
}

/** The same with exactly this environment. */
export async function askWith(
  world: World,
  words: readonly string[],
  options: { readonly env: Readonly<Record<string, string>>; readonly cwd?: string; readonly uid?: number | undefined },
): Promise<ProgramResult> {
  const { env, cwd = world.project, uid } = options;
  const path = { PATH: process.env["PATH"] ?? "" };
  const run = runProgram(process.execPath, [world.program, "--json", ...words], { cwd, uid, env: { ...path, ...env } });
  return checkAnswer(world, await run);
}

/** The same at a real terminal, where an owner sits. */
export async function askAsOwner(
  world: World,
  words: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<ProgramResult> {
  const { cwd = world.project, env } = options;
  const terminal = spawn(process.execPath, [world.program, "--json", ...words], {
    cwd,
    env: { ...world.env, ...env },
    cols: 1000,
  });
  let shown = "";
  terminal.onData((text) => (shown += text));
  const exitCode = await new Promise<number>((resolve) => terminal.onExit((exit) => resolve(exit.exitCode)));
  const json: unknown = JSON.parse(shown);
  return checkAnswer(world, { exitCode, signal: null, stdout: shown, stderr: "", json });
}

/** Runs the CLI as people read it, with styles where `FORCE_COLOR` asks for them; gives both streams together. */
export async function read(world: World, words: readonly string[], options: RunOptions = {}): Promise<string> {
  const { cwd = world.project, env } = options;
  const run = await runProgram(process.execPath, [world.program, ...words], { cwd, env: { ...world.env, ...env } });
  return `${run.stdout}${run.stderr}`;
}

/** The same at a real terminal, where an owner sits; line ends are plain. */
export async function readAsOwner(world: World, words: readonly string[], options: RunOptions = {}): Promise<string> {
  const { cwd = world.project, env } = options;
  const terminal = spawn(process.execPath, [world.program, ...words], {
    cwd,
    env: { ...world.env, ...env },
    cols: 1000,
  });
  let shown = "";
  terminal.onData((text) => (shown += text));
  await new Promise<void>((resolve) => terminal.onExit(() => resolve()));
  return shown.replaceAll("\r\n", "\n");
}

function checkAnswer(world: World, result: ProgramResult): ProgramResult {
  const said = `${result.stdout}${result.stderr}`;
  expect(said).not.toContain(world.directory);
  expect(said).not.toMatch(/\n\s+at |\/node_modules\/|file:\/\//);
  expect(result.json, said).toBeTypeOf("object");
  expect(codeOf(result), said).not.toBe("internal");
  return result;
}

/** The code of a refused command, or of a decision that answers `repair` or `refused`. */
export function codeOf(result: ProgramResult): unknown {
  return readField(result.json, "error", "code") ?? readField(result.json, "code");
}

/** What to run next, as the answer says. */
export function nextOf(result: ProgramResult): string {
  return String(readField(result.json, "next", 0) ?? readField(result.json, "error", "hint"));
}

export const SHOULD_RUN = ["quota", "should-run", "--goal-id=project-goal", "--agent-id=codex-main"] as const;

/** Every file below a folder with the digest of its bytes: equal before and after means that nothing was written. */
export function hashTree(directory: string): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  visit(directory, (path) => {
    const found = lstatSync(path);
    if (found.isDirectory()) entries.set(relative(directory, path), "directory");
    else if (found.isSymbolicLink()) entries.set(relative(directory, path), readlinkSync(path));
    else if (found.isFile())
      entries.set(relative(directory, path), createHash("sha256").update(readFileSync(path)).digest("hex"));
  });
  return entries;
}

/** Gives a folder and all in it to the stranger. */
export function giveToStranger(directory: string): void {
  const user = STRANGER;
  if (user === undefined) return;
  visit(directory, (path) => chownSync(path, user, user));
}

export function setWritable(directory: string, isWritable: boolean): void {
  if (lstatSync(directory, { throwIfNoEntry: false }) === undefined) return;
  if (isWritable) chmodSync(directory, 0o755);
  visit(directory, (path) => {
    const found = lstatSync(path);
    if (found.isSymbolicLink()) return;
    if (found.isDirectory()) chmodSync(path, isWritable ? 0o755 : 0o555);
    else chmodSync(path, isWritable ? 0o644 : 0o444);
  });
}

function visit(path: string, look: (path: string) => void): void {
  look(path);
  if (!lstatSync(path).isDirectory()) return;
  for (const name of readdirSync(path).toSorted()) visit(join(path, name), look);
}
