import { findCommand, listCommands, type CommandName } from "../command-table/command-table.ts";
import type { CommandSpec } from "../command-table/command-spec.ts";
import type { FlagRecord } from "../command-table/flag-spec.ts";

/** A command as a tool: the same words with underscores, the same flags but for those that are withheld. */
export interface OfferedCommand {
  readonly toolName: string;
  readonly name: CommandName;
  readonly spec: CommandSpec;
  readonly flags: FlagRecord;
  /** Words that every call of the tool has, and no caller chooses. */
  readonly fixed: readonly string[];
}

/**
 * The commands that are tools. Chosen one by one: no owner's command, none that moves or replaces state, and none that
 * reads secrets or calls out where the agent says, since a host often runs its MCP servers outside of the agent's sandbox:
 * `context turn` asks the providers of a binding that the owner keeps in the LoopX home.
 */
const OFFERED_NAMES: readonly CommandName[] = [
  "quota should-run",
  "refresh-state",
  "quota spend",
  "quota status",
  "todo add",
  "todo list",
  "todo show",
  "todo claim",
  "todo release",
  "todo update",
  "todo complete",
  "todo defer",
  "todo supersede",
  "todo archive",
  "goal list",
  "goal show",
  "goal edit",
  "goal pause",
  "goal complete",
  "goal budget",
  "gate list",
  "gate show",
  "register-agent",
  "bind-agent-thread",
  "unbind-agent-thread",
  "resolve-agent-thread",
  "bootstrap",
  "bootstrap-command-pack",
  "start-goal",
  "status",
  "history",
  "doctor",
  "context turn",
  "context preview",
];

/** Starts a program that reads past sessions: a tool only where the server's owner names the profile that it goes by. */
const RECALL = "decision-context recall-context";

/** How a check comes to be stored with a todo; offered only where checks may run. */
const CHECK_FLAGS = ["validationCommand", "validationTimeout"];

/**
 * What leads out of an agent's sandbox: a folder to write to, and an attached binding, which may be a file of the agent's own
 * that names any secret of the server and any host to send it to. And what reads every page of a store, while a server waits.
 */
const WITHHELD: Readonly<Partial<Record<CommandName, readonly string[]>>> = {
  "context turn": ["store", "storePassword"],
  [RECALL]: ["profile"],
  "quota should-run": ["contextProfile"],
  doctor: ["deep", "store"],
};

const NAMED = "name of a binding in the LoopX home";

/**
 * The offered commands, in the order a turn uses them. `mayRunChecks` adds the flags that store a todo's check, and a
 * `recallProfile`, absolute, the recall by exactly that profile.
 */
export function listOfferedCommands(mayRunChecks: boolean, recallProfile?: string): readonly OfferedCommand[] {
  const names = recallProfile === undefined ? OFFERED_NAMES : [...OFFERED_NAMES, RECALL];
  return names.flatMap((words) => {
    const command = findCommand(words);
    if (command === undefined) return [];
    const { name, spec } = command;
    const fixed = name === RECALL ? [`--profile=${recallProfile}`] : [];
    return [{ toolName: toToolName(name), name, spec, flags: omitWithheld(command, mayRunChecks), fixed }];
  });
}

/** Whether a tool asks what may be outside of this machine: the providers of a binding, or an extension's program. */
export function asksOutside({ name, flags }: OfferedCommand): boolean {
  return name === RECALL || Object.hasOwn(flags, "binding");
}

/** Whether a command is a tool of this server. */
export function isOffered(name: CommandName): boolean {
  return OFFERED_NAMES.includes(name);
}

/** `quota should-run` → `quota_should_run`. */
export function toToolName(name: string): string {
  return name.replaceAll(/[ -]/g, "_");
}

/** The command of an owner that a tool of this name would be. */
export function findOwnerCommand(toolName: string): CommandName | undefined {
  return listCommands().find(({ name, spec }) => spec.authority === "owner" && toToolName(name) === toolName)?.name;
}

/** An owner's token shows an owner, and nobody is one through MCP. */
function omitWithheld({ name, spec }: Pick<OfferedCommand, "name" | "spec">, mayRunChecks: boolean): FlagRecord {
  const flags: FlagRecord = spec.flags;
  const storesCheck = Object.hasOwn(flags, "validationCommand");
  const withheld = [
    "ownerTokenFile",
    ...(WITHHELD[name] ?? []),
    ...(storesCheck && !mayRunChecks ? [...CHECK_FLAGS, "validationLabel"] : []),
  ];
  const taken = Object.entries(flags).filter(([key]) => !withheld.includes(key));
  return Object.fromEntries(taken.map(([key, flag]) => [key, key === "binding" ? { ...flag, describe: NAMED } : flag]));
}
