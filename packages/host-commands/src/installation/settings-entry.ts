import { isLoopxError, parseShellWords, renderShellCommand } from "@loopx/contracts";

/** A JSON value of a settings file. */
export type SettingsValue =
  | string
  | number
  | boolean
  | null
  | readonly SettingsValue[]
  | { readonly [key: string]: SettingsValue };

/** An object that runs LoopX: a hook's handler or an MCP server. */
export type Runner = Readonly<Record<string, SettingsValue>>;

/** One entry of ours in a user's settings file. */
export interface SettingsEntry {
  /** Keys from the root to the list or object that holds the entry. */
  readonly path: readonly string[];
  /** Where a newer form of the file keeps such entries: used where it is there already. */
  readonly newerPath?: readonly string[];
  /** Its key there; without one it is an item of a list. */
  readonly name?: string;
  /** The key of an item under which its runners stand, where they do (`{"hooks": [runner]}`). */
  readonly itemKey?: string;
  readonly runner: Runner;
  /** The fields that say which LoopX runs: only they are compared and renewed, so a user's timeout stays. */
  readonly fields: readonly string[];
  /** What else a new file of this kind needs. */
  readonly skeleton: Readonly<Record<string, SettingsValue>>;
  /** The argv of a runner, where it has one. */
  readonly argvOf: (runner: Runner) => readonly string[] | undefined;
  /** The words behind the program that make a runner ours. */
  readonly tail: readonly string[];
}

/** A command line in a field: what hooks have. */
export function argvOfCommandLine(runner: Runner): readonly string[] | undefined {
  const command = runner["command"];
  if (typeof command !== "string") return undefined;
  try {
    return parseShellWords(command);
  } catch (error) {
    if (isLoopxError(error)) return undefined;
    throw error;
  }
}

/** A program and its arguments, in one field or two: what MCP servers have. */
export function argvOfServer(runner: Runner): readonly string[] | undefined {
  const words = [runner["command"], runner["args"] ?? []].flat();
  return words.every((word) => typeof word === "string") ? words : undefined;
}

/** Whether a runner calls LoopX for this very purpose, whichever installation of it. */
export function isOurRunner(entry: SettingsEntry, runner: Runner): boolean {
  return findTail(entry, runner) !== undefined;
}

/** The runner as it should be, given the one that is there: an exact surface named before is kept where none is now. */
export function reconcileRunner(entry: SettingsEntry, found: Runner): Runner {
  const surface = findTail(entry, found)?.find((word) => word.startsWith(SURFACE_FLAG));
  const wanted = entry.argvOf(entry.runner) ?? [];
  const isKept = surface !== undefined && entry.argvOf === argvOfCommandLine && !wanted.some(isSurface);
  const fields = Object.fromEntries(entry.fields.map((field) => [field, entry.runner[field] ?? null]));
  return { ...found, ...fields, ...(isKept && { command: renderShellCommand([...wanted, surface]) }) };
}

/** Whether the fields that matter are what they should be. */
export function isCurrentRunner(entry: SettingsEntry, found: Runner): boolean {
  const wanted = reconcileRunner(entry, found);
  return entry.fields.every((field) => JSON.stringify(found[field]) === JSON.stringify(wanted[field]));
}

const SURFACE_FLAG = "--host-surface=";

function isSurface(word: string): boolean {
  return word.startsWith(SURFACE_FLAG);
}

function findTail({ argvOf, tail }: SettingsEntry, runner: Runner): readonly string[] | undefined {
  const words = argvOf(runner) ?? [];
  const program = words.findIndex((word) => /(?:^|[/\\])loopx(?:\.cjs|\.cmd)?$/.test(word));
  const behind = words.slice(program + 1);
  return program !== -1 && tail.every((word, at) => behind[at] === word) ? behind.slice(tail.length) : undefined;
}
