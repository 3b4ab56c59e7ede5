import { describeContents, findSensitive, parseShellWords, redact, sha256Hex } from "@loopx/contracts";
import type { HostMessage } from "../parsing/parse-host-message.ts";
import type { PrintCommand, PrintedFlag } from "../print-command.ts";
import { START_COMMAND, type HostCommand } from "../registry/host-command.ts";
import type { HandoffFacts, HandoffProject } from "./handoff-facts.ts";
import type { HandoffAuthority, HandoffPacket, HostSetupPacket } from "./handoff-packet.ts";
import { renderHostSetup } from "./render-host-help.ts";

type ParsedCommand = Extract<HostMessage, { readonly kind: "command" }>;

/**
 * Renders the handoff of a parsed command, or the setup packet of a project command where no project was resolved.
 *
 * At most 3,072 bytes minified without the caller's own text. Outside of that text it holds no absolute path and no
 * credential, whatever the facts are: a label is masked, an id that looks like either is left out.
 */
export function renderHandoff(
  message: ParsedCommand,
  facts: HandoffFacts,
  print: PrintCommand,
): HandoffPacket | HostSetupPacket {
  const { command, rawCommand, taskText } = message;
  const known = withoutSensitive(facts);
  if (command.scope === "project" && known.project === undefined) return renderHostSetup(command);
  const cliCommand = print(command.target, listFlags(command, taskText, known));
  return {
    ok: true,
    schema_version: "codex_app_host_command_handoff_v0",
    command: command.token,
    raw_command: rawCommand,
    canonical_command: command.command,
    ...(taskText !== undefined && describeText(taskText)),
    host_surface: known.uiSurface,
    ...(known.project !== undefined && { project_root_label: known.project.label }),
    ...(known.goalId !== undefined && { goal_id: known.goalId }),
    ...(known.agentId !== undefined && { agent_id: known.agentId }),
    ...(known.threadId !== undefined && { thread_id: known.threadId }),
    protocol: command.protocol,
    mutation_policy: command.mutationPolicy,
    cli_preview: command.cliBaseline,
    ...(command.scope === "project" && known.project?.runsInRoot === true && { run_in: "project_root" as const }),
    // Read back from the line: the two can't differ.
    cli_argv: parseShellWords(cliCommand),
    cli_command: cliCommand,
    authority: authorityOf(command),
    next_step: command.nextStep,
  };
}

function describeText(text: string): Partial<HandoffPacket> {
  const contents = describeContents(text);
  return {
    task_text: text,
    ...(contents.length > 0 && { task_text_contains: contents }),
    task_text_digest: `sha256:${sha256Hex(text)}`,
  };
}

/** Text behind a global or review command is for its reader: it never becomes a flag. */
function listFlags(
  command: HostCommand,
  taskText: string | undefined,
  facts: HandoffFacts,
): Readonly<Record<string, PrintedFlag>> {
  if (command.scope !== "project") return {};
  const project = facts.project?.argument;
  if (command.target !== START_COMMAND.target) return { project };
  return {
    guided: true,
    project,
    "goal-text": taskText,
    "host-surface": facts.hostSurface,
    "thread-id": facts.threadId,
  };
}

function authorityOf(command: HostCommand): HandoffAuthority {
  return {
    read_allowed: true,
    project_local_write_allowed: command.mutationPolicy === "explicit_goal_start",
    global_control_write_allowed: false,
    production_action_allowed: false,
  };
}

function withoutSensitive(facts: HandoffFacts): HandoffFacts {
  return {
    hostSurface: facts.hostSurface,
    uiSurface: facts.uiSurface,
    project: toPublicProject(facts.project),
    goalId: toPublicId(facts.goalId),
    agentId: toPublicId(facts.agentId),
    threadId: toPublicId(facts.threadId),
  };
}

/** A folder whose name can't be shown is still the project: the command then runs there. */
function toPublicProject(project: HandoffProject | undefined): HandoffProject | undefined {
  if (project === undefined) return undefined;
  const label = redact(project.label).text;
  return toPublicId(project.argument) === undefined
    ? { label, argument: ".", runsInRoot: true }
    : { ...project, label };
}

function toPublicId(id: string | undefined): string | undefined {
  return id === undefined || findSensitive(id).length > 0 ? undefined : id;
}
