import { alignRows } from "../text-rows.ts";
import { isDrift, type BlockReason, type InstallOperation, type InstallStatus } from "./install-decision.ts";
import { HOST_NAMES, type InstallHost } from "./install-host.ts";
import type { InstallScope, TargetPart } from "./install-target.ts";

/** What became of one target. Labels are relative to a host's home (`~/.codex/…`), never absolute. */
export interface InstallRow {
  readonly host: InstallHost;
  readonly part: TargetPart | "legacy_file";
  /** The name that the host shows, where a part has several. */
  readonly name?: string;
  /** The file, or the folder of several. */
  readonly place: string;
  readonly status: InstallStatus;
  readonly reason?: BlockReason;
  readonly shadowedBy?: string;
  readonly savedAs?: string;
  /** What the host itself has to run. */
  readonly hostCommand?: string;
}

/** The answer of an installation, a removal or a check: rows that say the same are one. */
export interface InstallPacket {
  readonly ok: boolean;
  readonly schema_version: "loopx_slash_command_install_v1";
  readonly operation: InstallOperation;
  readonly dry_run: boolean;
  readonly scope: InstallScope;
  readonly hosts: readonly InstallHost[];
  readonly results: readonly InstallResult[];
  readonly notes: readonly string[];
  readonly next: readonly string[];
}

export interface InstallResult {
  readonly host: InstallHost;
  readonly part: InstallRow["part"];
  readonly status: string;
  readonly place: string;
  readonly names?: readonly string[];
  readonly reason?: BlockReason;
  readonly shadowed_by?: string;
  readonly saved_as?: readonly string[];
  readonly host_command?: string;
}

interface InstallAnswer {
  /** Whether an exact Codex surface was named, for its hook. */
  readonly isCodexExact: boolean;
  readonly operation: InstallOperation;
  readonly isDryRun: boolean;
  readonly scope: InstallScope;
  readonly hosts: readonly InstallHost[];
  readonly rows: readonly InstallRow[];
  readonly next: readonly string[];
}

/** Renders the packet. Not ok: something is blocked, or a check found what an installation would change. */
export function renderInstallPacket(answer: InstallAnswer): InstallPacket {
  const { operation, isDryRun, scope, hosts, rows, next } = answer;
  const isFailed = rows.some(({ status }) => (operation === "check" ? isDrift(status) : status === "blocked"));
  return {
    ok: !isFailed,
    schema_version: "loopx_slash_command_install_v1",
    operation,
    dry_run: isDryRun,
    scope,
    hosts,
    // What was not there to be removed is no news.
    results: groupRows(
      rows.filter(({ status }) => status !== "absent"),
      isDryRun,
    ),
    notes: operation === "install" ? listNotes(answer) : [],
    next,
  };
}

const WOULD: Partial<Readonly<Record<InstallStatus, string>>> = {
  created: "would_create",
  updated: "would_update",
  upgraded_legacy: "would_upgrade_legacy",
  removed: "would_remove",
};

function groupRows(rows: readonly InstallRow[], isDryRun: boolean): readonly InstallResult[] {
  const groups = new Map<string, InstallRow[]>();
  for (const row of rows) {
    const { host, part, place, status, reason, shadowedBy } = row;
    const key = JSON.stringify([host, part, place, status, reason, shadowedBy]);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].flatMap((group) => (group[0] === undefined ? [] : [toResult(group[0], group, isDryRun)]));
}

function toResult(first: InstallRow, group: readonly InstallRow[], isDryRun: boolean): InstallResult {
  const { host, part, place, status, reason, shadowedBy, hostCommand } = first;
  const names = group.flatMap(({ name }) => (name === undefined ? [] : [name]));
  const saved = group.flatMap(({ savedAs }) => (savedAs === undefined ? [] : [savedAs]));
  return {
    host,
    part,
    status: (isDryRun ? WOULD[status] : undefined) ?? status,
    place,
    ...(names.length > 0 && { names }),
    ...(reason !== undefined && { reason }),
    ...(shadowedBy !== undefined && { shadowed_by: shadowedBy }),
    ...(saved.length > 0 && { saved_as: saved }),
    ...(hostCommand !== undefined && { host_command: hostCommand }),
  };
}

/** What a person has to know beyond the rows. */
function listNotes({ hosts, rows, isCodexExact, isDryRun }: InstallAnswer): readonly string[] {
  const changed = [...new Set(rows.filter(isNew).map(({ host }) => host))];
  const codexHook = rows.some((row) => row.host === "codex" && row.part === "hook" && isNew(row));
  const codexSkills = rows.some((row) => row.host === "codex" && row.part === "facade" && isNew(row));
  return [
    ...(codexHook
      ? [
          "Codex runs a hook only after you trust it once: open /hooks there (pending_user_trust).",
          ...(isCodexExact
            ? []
            : [
                "Every Codex surface runs this hook and it can't tell which, so a start asks; if you use one only, name it: --surface=codex-cli-tui.",
              ]),
          "To let Codex bind threads from its sandbox, add the LoopX home to [sandbox_workspace_write] writable_roots in its config.toml.",
        ]
      : []),
    ...(hosts.includes("cursor") && codexSkills && changed.includes("claude-code")
      ? ["Cursor reads the skills of Codex and of Claude Code: it may list a command twice, and both do the same."]
      : []),
    ...(changed.length > 0
      ? [
          `${isDryRun ? "Afterwards restart" : "Restart"} ${changed.map((host) => HOST_NAMES[host].label).join(", ")}, then type ${nameFirstWords(changed)} there.`,
        ]
      : []),
  ];
}

/** How a message begins that is for LoopX; Codex keeps the slash for itself. */
function nameFirstWords(hosts: readonly InstallHost[]): string {
  if (!hosts.includes("codex")) return "/loopx";
  return hosts.length === 1 ? "$loopx" : "/loopx, or $loopx in Codex,";
}

function isNew({ status }: InstallRow): boolean {
  return status === "created" || status === "updated";
}

/** How a reason reads, with what mends it. */
const REASONS: Readonly<Record<BlockReason, string>> = {
  invalid_json: "is no valid JSON; mend it first",
  invalid_toml: "is no valid TOML; mend it first",
  unexpected_shape: "has another shape than the host documents; look at it first",
  symlink_leaves_root: "is a link that leads out of its folder; make it a file",
  not_a_file: "is no regular file; move it away",
  not_readable: "cannot be read; allow reading it",
  not_writable: "cannot be written; allow writing it",
  not_utf8: "is not UTF-8; mend it first",
  too_large: "is too large for a settings file",
  changed_meanwhile: "was changed while LoopX wrote; run it again",
};

/** The packet for people: a row for each result, what to know, and the next step last. */
export function renderInstallText(packet: InstallPacket): string {
  const rows = packet.results.map(toTextRow);
  const body = HOSTS_IN_ORDER.flatMap((host) => {
    const own = rows
      .filter((row) => row.host === host)
      .map(({ status, what }): readonly [string, string] => [status, what]);
    return own.length === 0 ? [] : [HOST_NAMES[host].label, alignRows(own)];
  });
  const blocks = [
    body.length === 0 ? "nothing of LoopX is there" : body.join("\n"),
    packet.notes.join("\n"),
    packet.next.length === 0 ? "" : ["next", ...packet.next.map((line) => `  ${line}`)].join("\n"),
  ];
  return blocks.filter((block) => block !== "").join("\n\n");
}

const SINGULAR: Partial<Readonly<Record<InstallRow["part"], string>>> = {
  facade: "command",
  policy: "command policy",
};

/** Rows in one line, such as `6 commands current; prompt hook missing`; what is blocked says why. */
export function describeStanding(rows: readonly InstallRow[]): string {
  // A policy goes with its command: only what is amiss with it is news.
  const told = rows.filter(({ part, status }) => part !== "policy" || status !== "current");
  return groupRows(told, false)
    .map(({ part, status, names, reason, place, host_command: hostCommand, shadowed_by: shadowedBy }) => {
      if (reason !== undefined) return `${place} ${REASONS[reason]}`;
      if (hostCommand !== undefined) return `${PART_WORDS[part]}: run ${hostCommand}`;
      const count = names?.length ?? 0;
      const what = count > 1 ? `${count} ${PART_WORDS[part]}` : nameOne(part, names ?? []);
      const isDouble = shadowedBy !== undefined && status === "stale";
      return `${what} ${status.replaceAll("_", " ")}${isDouble ? `, there already in ${shadowedBy}` : ""}`;
    })
    .join("; ");
}

const HOSTS_IN_ORDER = Object.keys(HOST_NAMES) as readonly InstallHost[];

const PART_WORDS: Readonly<Record<InstallRow["part"], string>> = {
  facade: "commands",
  policy: "command policies",
  workflow_skill: "workflow skill",
  plugin: "plugin",
  hook: "prompt hook",
  mcp_entry: "MCP entry",
  legacy_file: "file of an older LoopX",
};

function toTextRow(result: InstallResult): {
  readonly host: InstallHost;
  readonly status: string;
  readonly what: string;
} {
  const { names = [], part } = result;
  const what = names.length > 1 ? `${PART_WORDS[part]} (${names.length})` : nameOne(part, names);
  const more = [
    result.reason === undefined ? "" : ` ${REASONS[result.reason]}`,
    result.shadowed_by === undefined ? "" : `, there already in ${result.shadowed_by}`,
    result.saved_as === undefined ? "" : `, edits saved as ${result.saved_as.join(", ")}`,
    result.host_command === undefined ? "" : `: run ${result.host_command}`,
  ];
  const status = result.status.replaceAll("_", " ");
  return { host: result.host, status, what: `${what}  ${result.place}${more.join("")}` };
}

/** One of several parts is named, so that it can be found. */
function nameOne(part: InstallRow["part"], names: readonly string[]): string {
  const word = SINGULAR[part];
  return word === undefined || names[0] === undefined ? PART_WORDS[part] : `${word} ${names[0]}`;
}
