import { cutText } from "@loopx/contracts";
import { HOST_NAMES, prefixesOf, surfacesOf, type InstallHost, type InstallPacket } from "@loopx/host-commands";
import { printCommand } from "../command-line/print-command.ts";
import type { CommandResult } from "../output/command-result.ts";
import type { TextStyle } from "../output/text-style.ts";
import { joinLines, renderNext } from "./render-facts.ts";

/** What `bootstrap` says of a project it connected, or would connect. */
export interface ConnectedPacket {
  readonly project_root_label: string;
  readonly goal?: { readonly goal_id: string; readonly objective: string };
  readonly goal_created?: boolean;
  readonly goal_ids?: readonly string[];
  readonly objective_changed?: false;
  readonly would_write?: readonly string[];
}

export interface InitAnswer {
  readonly connected: ConnectedPacket;
  /** Undefined where nothing was to be installed. */
  readonly installed: InstallPacket | undefined;
  readonly hosts: readonly InstallHost[];
  /** The goal that was there before. */
  readonly goal: { readonly goal_id: string; readonly objective: string } | undefined;
  readonly goalText: string | undefined;
  readonly isDryRun: boolean;
}

/** What to type into a host is shown up to here: who gave it has it. */
const MESSAGE_CHARACTERS = 120;

/** Renders what a set-up did, and the one thing that comes next in each host. */
export function renderInit(answer: InitAnswer): CommandResult {
  const { connected, installed, isDryRun } = answer;
  const messages = listMessages(answer);
  const next = listNext(answer);
  const isOk = installed?.ok ?? true;
  return {
    packet: {
      ok: isOk,
      schema_version: "loopx_init_v1",
      dry_run: isDryRun,
      project_root_label: connected.project_root_label,
      ...(isDryRun ? { would_write: connected.would_write } : describeGoal(answer)),
      hosts: answer.hosts,
      ...(installed === undefined ? {} : { installed: installed.results, notes: installed.notes }),
      ...(messages.length === 0 ? {} : { say_in_host: messages }),
      next,
    },
    text: (style) =>
      joinLines(
        ...sayConnected(answer, style),
        ...sayInstalled(answer),
        ...(installed?.notes ?? []).map((note) => `  ${note}`),
        sayMessages(messages, style),
        renderNext(next, style, messages.length === 0 ? "next" : "then, any time"),
      ),
    exitCode: isOk ? 0 : 1,
  };
}

function describeGoal({ connected, goal }: InitAnswer): object {
  const known = connected.goal ?? goal;
  return {
    ...(known === undefined ? {} : { goal_id: known.goal_id }),
    goal_created: connected.goal_created ?? false,
    ...(connected.objective_changed === undefined ? {} : { objective_changed: false }),
  };
}

interface HostMessage {
  readonly host: InstallHost;
  readonly message: string;
}

/** The slash command that begins work in each host that has LoopX now. */
function listMessages({ hosts, installed, goal, goalText, isDryRun }: InitAnswer): readonly HostMessage[] {
  if (installed?.ok !== true || isDryRun) return [];
  const task = goalText ?? goal?.objective ?? "";
  const shown = cutText(task.replaceAll(/\s+/g, " ").trim(), MESSAGE_CHARACTERS);
  const text = shown.isTruncated || shown.text === "" ? "<what you want done>" : shown.text;
  return hosts.map((host) => {
    const prefix = prefixesOf(surfacesOf(host)[0]).at(-1) ?? "/";
    return { host, message: `${prefix}loopx ${text}` };
  });
}

/** Where no host has LoopX: the way by the command line. */
function listNext({ installed, isDryRun, goalText, hosts }: InitAnswer): readonly string[] {
  if (isDryRun) {
    const again = { goalText: goalText ?? undefined, surface: hosts.length === 0 ? ["none" as const] : hosts };
    return [printCommand("init", again).shell];
  }
  const doctor = printCommand("doctor", {}).shell;
  if (installed?.ok === true) return [doctor];
  if (installed !== undefined) return installed.next;
  return [printCommand("bootstrap-command-pack", {}, { globals: { project: "." } }).shell, doctor];
}

function sayConnected({ connected, goal, isDryRun }: InitAnswer, style: TextStyle): readonly string[] {
  const label = style.bold(connected.project_root_label);
  if (isDryRun)
    return [`would connect ${label} and write:`, ...(connected.would_write ?? []).map((line) => `  ${line}`)];
  const known = connected.goal ?? goal;
  if (known === undefined) return [`connected ${label}`];
  const kept = connected.objective_changed === false ? "; its objective was not changed" : "";
  return [
    `connected ${label}`,
    connected.goal_created === true ? `  goal ${known.goal_id}` : `  goal ${known.goal_id} was there already${kept}`,
  ];
}

function sayInstalled({ installed, hosts, isDryRun }: InitAnswer): readonly string[] {
  if (installed === undefined) return ["  no host was set up: loopx slash-commands --install does that"];
  const names = hosts.map((host) => HOST_NAMES[host].label).join(", ");
  if (isDryRun) return [`would install LoopX in ${names}`];
  if (installed.ok) return [`installed in ${names}`];
  const blocked = installed.results.filter(({ reason }) => reason !== undefined);
  return blocked.map(
    ({ host, part, place, reason }) =>
      `not installed in ${HOST_NAMES[host].label}: ${part}, ${place} (${reason ?? ""})`,
  );
}

function sayMessages(messages: readonly HostMessage[], style: TextStyle): string {
  if (messages.length === 0) return "";
  const lines = messages.map(
    ({ host, message }) => `  in ${HOST_NAMES[host].label}, in this folder:  ${style.cyan(message)}`,
  );
  return `\n${style.dim("next: say to your agent")}\n${lines.join("\n")}`;
}
