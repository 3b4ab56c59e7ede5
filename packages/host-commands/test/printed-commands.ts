import { spawnSync } from "node:child_process";
import type { PrintCommand, PrintedFlag } from "../src/print-command.ts";

/** The commands packets may print, with their flags: a printed flag that isn't here fails the test that prints it. */
const FLAGS_BY_COMMAND: Readonly<Record<string, readonly string[]>> = {
  status: ["goal-id"],
  "goal show": ["goal-id"],
  bootstrap: ["project", "goal-id", "objective"],
  "bootstrap-command-pack": ["project", "goal-text"],
  "register-agent": ["goal-id", "agent-id", "require-new", "execute"],
  "bind-agent-thread": ["goal-id", "thread-id", "host-surface", "agent-id", "execute"],
  "unbind-agent-thread": ["goal-id", "thread-id", "host-surface", "agent-id", "execute"],
  "todo add": ["goal-id", "role", "text", "priority", "agent-id"],
  "todo complete": ["goal-id", "agent-id", "turn", "todo-id"],
  "refresh-state": ["goal-id", "agent-id", "outcome", "evidence", "turn"],
  "quota should-run": ["goal-id", "agent-id", "thread-id", "turn"],
  "quota spend": ["goal-id", "agent-id", "turn"],
  "agent-onboard": [
    "project",
    "agent-type",
    "goal-id",
    "agent-id",
    "thread-id",
    "loop-driver",
    "task-body-digest",
    "record-activation",
    "execute",
  ],
  "heartbeat-prompt": ["agent-type", "goal-id", "agent-id", "thread-id"],
  drive: ["goal-id", "agent-id"],
  "goal list": [],
  "host-parse": ["host-surface", "ui-surface", "thread-id", "message"],
  "global-summary": [],
  "global-gates": [],
  "global-todos": [],
  "global-risks": [],
  "pr-review": [],
  "start-goal": [
    "guided",
    "project",
    "goal-text",
    "host-surface",
    "goal-id",
    "agent-id",
    "thread-id",
    "new-peer",
    "new-goal",
    "include-command-pack-detail",
  ],
};

export const printCommand: PrintCommand = (words, flags, command = []) => {
  const known = FLAGS_BY_COMMAND[words];
  if (known === undefined) throw new Error(`no command ${words}`);
  const printed = Object.entries(flags).flatMap(([name, value]) => {
    if (!known.includes(name)) throw new Error(`${words} has no flag --${name}`);
    return printFlag(name, value);
  });
  const behind = command.length === 0 ? [] : ["--", ...command.map(quote)];
  return ["loopx", words, ...printed, ...behind].join(" ");
};

function printFlag(name: string, value: PrintedFlag): readonly string[] {
  if (value === undefined || value === false) return [];
  if (value === true) return [`--${name}`];
  const values = typeof value === "string" ? [value] : value;
  return values.map((one) => quote(`--${name}=${one}`));
}

function quote(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

export interface ParsedCommand {
  readonly words: string;
  readonly flags: ReadonlyMap<string, string | true>;
}

/** The text of one flag; a flag that is missing or has none is a fault of the test. */
export function textOfFlag(command: ParsedCommand | undefined, name: string): string {
  const value = command?.flags.get(name);
  if (typeof value !== "string") throw new Error(`no text in --${name}`);
  return value;
}

/** Runs many printed commands through one real `sh` in which `loopx` prints its own arguments. */
export function parseThroughShell(commands: readonly string[]): readonly ParsedCommand[] {
  const script = `loopx() { printf '%s\\0' "$#" "$@"; }\n${commands.join("\n")}\n`;
  const { status, stdout, stderr } = spawnSync("sh", [], { input: script, encoding: "utf8", maxBuffer: 64 << 20 });
  if (status !== 0 || stderr !== "") throw new Error(`sh: ${stderr}`);
  const printed = stdout.split("\0").slice(0, -1);
  const calls: ParsedCommand[] = [];
  for (let offset = 0; offset < printed.length; offset += Number(printed[offset]) + 1) {
    calls.push(parseArguments(printed.slice(offset + 1, offset + 1 + Number(printed[offset]))));
  }
  if (calls.length !== commands.length) throw new Error(`${calls.length} calls of ${commands.length} commands`);
  return calls;
}

/** A line's worth of the command table: known words, known flags, values behind `=`. */
function parseArguments(args: readonly string[]): ParsedCommand {
  const firstFlag = args.findIndex((arg) => arg.startsWith("--"));
  const wordCount = firstFlag === -1 ? args.length : firstFlag;
  const words = args.slice(0, wordCount).join(" ");
  const known = FLAGS_BY_COMMAND[words];
  if (known === undefined) throw new Error(`no command ${words}`);
  const end = args.indexOf("--");
  const flags = args.slice(wordCount, end === -1 ? undefined : end).map((arg): readonly [string, string | true] => {
    const match = /^--([a-z-]+)(?:=([^]*))?$/.exec(arg);
    const name = match?.[1] ?? "";
    if (!known.includes(name)) throw new Error(`${words} has no flag in ${arg}`);
    return [name, match?.[2] ?? true];
  });
  return { words, flags: new Map(flags) };
}
