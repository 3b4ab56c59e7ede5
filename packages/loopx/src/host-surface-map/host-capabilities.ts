import { printCommand } from "../command-line/print-command.ts";
import { COMMAND_GROUPS } from "../command-table/command-groups.ts";
import { findCommand, type CommandName } from "../command-table/command-table.ts";
import type { CommandSpec } from "../command-table/command-spec.ts";
import { isOffered, toToolName } from "../mcp/offered-commands.ts";

/** One thing a host reads in the life of a turn, with its command line and its tool. */
export interface LifecycleRead {
  readonly read: string;
  readonly cli: string;
  readonly tool: string | null;
}

/** Commands of one subject that write. */
export interface WriteCapability {
  readonly class: string;
  readonly commands: readonly string[];
  /** Those that only show what they would write, without `--execute` or with `--dry-run`. */
  readonly previews?: readonly string[];
}

/** What a host reads, in order: health, which goals there are, what waits, what to do next, what to decide, what happened. */
export function listLifecycleReads(goalId: string | null, agentId: string | null): readonly LifecycleRead[] {
  const goal = { goalId: goalId ?? "<goal-id>" };
  const lane = { ...goal, agentId: agentId ?? "<agent-id>" };
  return [
    toRead("health", "doctor", printCommand("doctor", {}).shell),
    toRead("registry", "goal list", printCommand("goal list", {}).shell),
    toRead("attention", "status", printCommand("status", goal).shell),
    toRead("decision", "quota should-run", printCommand("quota should-run", lane).shell),
    toRead("review", "gate list", printCommand("gate list", goal).shell),
    toRead("history", "history", printCommand("history", goal).shell),
  ];
}

function toRead(read: string, command: CommandName, cli: string): LifecycleRead {
  return { read, cli, tool: isOffered(command) ? toToolName(command) : null };
}

/** The writes by subject: those that an agent has as tools too, and those that only the command line has. */
export function listWriteCapabilities(): {
  readonly withTool: readonly WriteCapability[];
  readonly cliOnly: readonly WriteCapability[];
} {
  return {
    withTool: groupWrites((name) => isOffered(name)),
    cliOnly: groupWrites((name) => !isOffered(name)),
  };
}

function groupWrites(isChosen: (name: CommandName) => boolean): readonly WriteCapability[] {
  return COMMAND_GROUPS.flatMap(({ title, commands }) => {
    const writes = Object.keys(commands).flatMap((words) => {
      const command = findCommand(words);
      return command !== undefined && isWrite(command) && isChosen(command.name) ? [command] : [];
    });
    if (writes.length === 0) return [];
    const previews = writes.filter(({ spec }) => hasPreview(spec)).map(({ name }) => name);
    return [
      {
        class: title.toLowerCase().replaceAll(" ", "_"),
        commands: writes.map(({ name }) => name),
        ...(previews.length === 0 ? {} : { previews }),
      },
    ];
  });
}

/** Serving the tools is no write of its own. */
function isWrite({ name, spec }: { readonly name: CommandName; readonly spec: CommandSpec }): boolean {
  return spec.authority !== "read" && name !== "mcp";
}

function hasPreview({ flags }: CommandSpec): boolean {
  return Object.hasOwn(flags, "execute") || Object.hasOwn(flags, "dryRun");
}
