import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { World } from "./cli-world.ts";
import { runProgram, type ProgramResult } from "./run-program.ts";

/** A system call of a run: the n-th of its name that its thread made. */
export interface SystemCall {
  readonly name: string;
  readonly occurrence: number;
  /** What it worked on, as strace shows it; for reports. */
  readonly subject: string;
}

const WATCHED =
  "fsync,fdatasync,pwrite64,write,rename,unlink,openat,ftruncate,link,mkdir,fcntl,chmod,fchmod,exit_group";

export const hasStrace = spawnSync("strace", ["-V"]).status === 0;

/** Runs the CLI to its end and lists the calls it made on the world's files, on stdout and at its exit, in order. */
export async function recordSystemCalls(world: World, args: readonly string[]): Promise<readonly SystemCall[]> {
  const log = join(world.directory, "strace.log");
  const flags = ["-f", "-y", "-o", log, "-e", `trace=${WATCHED}`];
  const { cwd, env } = { cwd: world.project, env: world.env };
  const words = [...flags, process.execPath, world.program, "--json", ...args];
  const result = await runProgram("strace", words, { cwd, env });
  if (result.exitCode !== 0) throw new Error(`recording ${args.join(" ")}: ${result.stdout}${result.stderr}`);
  return parseLog(readFileSync(log, "utf8"), world.directory);
}

/** The calls of a run on its connection to a server, in order: a node writes to it and reads from it. */
export async function recordNetworkCalls(world: World, args: readonly string[]): Promise<readonly SystemCall[]> {
  const log = join(world.directory, "strace.log");
  const flags = ["-f", "-yy", "-o", log, "-e", "trace=write,writev,sendto,sendmsg,read,recvfrom,connect"];
  const words = [...flags, process.execPath, world.program, "--json", ...args];
  const result = await runProgram("strace", words, { cwd: world.project, env: world.env });
  if (result.exitCode !== 0) throw new Error(`recording ${args.join(" ")}: ${result.stdout}${result.stderr}`);
  return listCalls(readFileSync(log, "utf8"), (_, rest) => /^\d+<TCP/.test(rest)).map((call) => ({
    ...call,
    subject: "the connection",
  }));
}

/** Runs the CLI and kills it with SIGKILL as it enters the call; `signal` says whether it came so far. */
export function killAtSystemCall(
  world: World,
  args: readonly string[],
  { name, occurrence }: SystemCall,
): Promise<ProgramResult> {
  const injection = `inject=${name}:signal=KILL:when=${occurrence}`;
  const words = ["-f", "-o", "/dev/null", "-e", injection, process.execPath, world.program, "--json", ...args];
  return runProgram("strace", words, { cwd: world.project, env: world.env });
}

function parseLog(log: string, directory: string): readonly SystemCall[] {
  const calls = listCalls(log, (name, rest) => isOfInterest(name, rest, directory));
  return calls.map((call) => ({ ...call, subject: toSubject(call.subject, directory) }));
}

function listCalls(log: string, isWanted: (name: string, rest: string) => boolean): readonly SystemCall[] {
  const counts = new Map<string, number>();
  const calls: SystemCall[] = [];
  for (const line of log.split("\n")) {
    const [, thread, name, rest = ""] = /^(\d+) +(\w+)\((.*)$/.exec(line) ?? [];
    if (thread === undefined || name === undefined) continue;
    const occurrence = (counts.get(`${thread} ${name}`) ?? 0) + 1;
    counts.set(`${thread} ${name}`, occurrence);
    if (isWanted(name, rest)) calls.push({ name, occurrence, subject: rest });
  }
  return calls;
}

function isOfInterest(name: string, rest: string, directory: string): boolean {
  if (name === "exit_group") return true;
  if (name === "write" && rest.startsWith("1<")) return true;
  // The working directory stands in every openat; what counts is the path it opens.
  const named = name === "openat" ? rest.slice(rest.indexOf(",")) : rest;
  return named.includes(`${directory}/`);
}

function toSubject(rest: string, directory: string): string {
  return rest.replaceAll(`${directory}/`, "").slice(0, 60);
}
