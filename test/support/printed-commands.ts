import { parseShellWords, toErrorPacket } from "@loopx/contracts";
import { parseCommandLine } from "../../packages/loopx/src/command-line/parse-command-line.ts";

/**
 * Every `loopx …` command line that stands anywhere in a packet: as a value of its own, after "Run" in a task body, and each
 * choice of a gate put behind the command it is to be appended to.
 */
export function listPrintedCommands(document: unknown): readonly string[] {
  if (typeof document === "string") return listInText(document);
  if (Array.isArray(document)) return document.flatMap(listPrintedCommands);
  if (typeof document !== "object" || document === null) return [];
  const entries: readonly (readonly [string, unknown])[] = Object.entries(document);
  const values = entries.flatMap(([key, value]) => (SENTENCES.has(key) ? [] : listPrintedCommands(value)));
  return [...values, ...listReruns(document)];
}

/** Prose, and the caller's own words: they may begin with `loopx ` without being a command of ours. */
const SENTENCES: ReadonlySet<string> = new Set(["message", "text", "goal_text", "objective", "question"]);

function listInText(text: string): readonly string[] {
  if (text.startsWith("loopx ")) return [text];
  return [...text.matchAll(/\b[Rr]un (loopx [^\n]+)/g)].map(([, command = ""]) => command);
}

/** How a gate is answered: its `rerun_command`, one space, a choice's `rerun_argument`. */
function listReruns(gate: object): readonly string[] {
  if (!("rerun_command" in gate) || typeof gate.rerun_command !== "string" || !("choices" in gate)) return [];
  const command = gate.rerun_command;
  return listArguments(Object.values(gate)).map((argument) => `${command} ${argument}`);
}

function listArguments(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const nested = Object.values(value).flatMap(listArguments);
  return "rerun_argument" in value && typeof value.rerun_argument === "string"
    ? [value.rerun_argument, ...nested]
    : nested;
}

/** The commands of a packet that our own parser refuses once their `<…>` words are filled, each with what it says. */
export function findRefusedCommands(document: unknown): readonly string[] {
  return listPrintedCommands(document).flatMap((command) => {
    const fault = findFault(command);
    return fault === undefined ? [] : [`${command}\n  ${fault}`];
  });
}

function findFault(command: string): string | undefined {
  const [program, ...words] = parseShellWords(command);
  if (program !== "loopx") return `the program is ${program}`;
  const parsed = parseCommandLine(words.map((word) => fillPlaceholder(word)));
  if (parsed.kind === "command" || parsed.kind === "help") return undefined;
  return parsed.kind === "refused" ? JSON.stringify(toErrorPacket(parsed.error)) : `it is a ${parsed.kind}`;
}

const SAMPLE_BY_FLAG: Readonly<Record<string, string>> = {
  "--agent-id": "agent-1",
  "--goal-id": "goal-1",
  "--todo-id": "todo_000000",
  "--gate-id": "todo_000000",
  "--turn": "turn_000000",
  "--outcome": "progress",
  "--total-turns": "3",
  "--pr": "1",
};

/** A value for a flag whose value the packet leaves to its reader: the first alternative it names, else a sample. */
function fillPlaceholder(word: string): string {
  const [, flag = "", inner = ""] = /^(--[a-z-]+)=<([^<>]*)>$/.exec(word) ?? [];
  if (inner === "") return word;
  const value = inner.includes("|") ? inner.split("|")[0] : SAMPLE_BY_FLAG[flag];
  return `${flag}=${value ?? "some words"}`;
}
