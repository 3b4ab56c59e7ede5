import { renderShellCommand } from "@loopx/contracts";
import { INSTALL_LINE } from "../facades/facade.ts";
import type { InstallHost } from "../installation/install-host.ts";
import { planEntries } from "../installation/plan-entries.ts";
import { planInstallation, type PlanRequest } from "../installation/plan-installation.ts";
import { PLUGIN_NAME } from "../installation/plugin-switch.ts";
import { argvOfCommandLine, type Runner } from "../installation/settings-entry.ts";

/** A generated file, by its way below the folder that its kind belongs to. */
export interface PluginFile {
  readonly path: string;
  readonly text: string;
}

/** Who is meant by a plugin's fields for its author. */
export const AUTHOR = { name: "LoopX" } as const;

/** One sentence for catalogues. */
export const DESCRIPTION =
  "Local-first control plane for long-running coding agents: goals, todos, gates and turns, through the loopx program.";

/** What an installation for such a plugin would be: it knows no path of the machine it comes to, so it names the program alone. */
export function toPluginRequest(host: InstallHost, version: string): PlanRequest {
  return {
    scope: "project",
    version,
    shellProgram: "loopx",
    argv: ["loopx"],
    codexSurface: undefined,
    pluginPrefix: host === "opencode" ? "" : `${PLUGIN_NAME}:`,
  };
}

/** What the manifests of Claude Code's and Codex's plugins have in common. */
export function describePlugin(version: string): object {
  return {
    name: PLUGIN_NAME,
    version,
    description: DESCRIPTION,
    author: AUTHOR,
    license: "Apache-2.0",
    keywords: ["agents", "goals", "todos", "mcp"],
  };
}

/** The files behind such a manifest, which both hosts keep at the same places. */
export function listPluginParts(host: "claude-code" | "codex", version: string): readonly PluginFile[] {
  return [
    ...listSkillFiles(host, version),
    renderPluginHooks(host, version),
    { path: ".mcp.json", text: renderJson({ mcpServers: { loopx: findServer(host, version) } }) },
  ];
}

/** The skills of a host as the installer writes them; a plugin has the same layout. */
export function listSkillFiles(host: InstallHost, version: string): readonly PluginFile[] {
  return planInstallation(host, toPluginRequest(host, version), "skills").flatMap((target) =>
    target.kind === "file" ? [{ path: target.place.path, text: target.text }] : [],
  );
}

/** The MCP server, as the installer enters it. */
export function findServer(host: InstallHost, version: string): Runner {
  return findRunner(host, "mcp_entry", version);
}

const IS_THERE = "command -v loopx >/dev/null 2>&1";

/**
 * The hooks of a plugin for Claude Code or Codex, which keep them in the same shape.
 *
 * A plugin may come without the program. The prompt hook, which runs at every message, is silent then; the user is told once
 * a session.
 */
function renderPluginHooks(host: "claude-code" | "codex", version: string): PluginFile {
  const prompt = findRunner(host, "hook", version);
  const call = renderShellCommand(argvOfCommandLine(prompt) ?? []);
  const notice = {
    systemMessage: `LoopX: this plugin needs the loopx program on PATH. Install it (${INSTALL_LINE}) and restart.`,
  };
  const hooks = {
    SessionStart: [
      {
        matcher: "startup|resume",
        hooks: [{ type: "command", command: `${IS_THERE} || echo '${JSON.stringify(notice)}'`, timeout: 10 }],
      },
    ],
    UserPromptSubmit: [{ hooks: [{ ...prompt, command: `! ${IS_THERE} || exec ${call}` }] }],
  };
  return { path: "hooks/hooks.json", text: renderJson({ hooks }) };
}

/** A JSON file as people read it. */
export function renderJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function findRunner(host: InstallHost, part: "hook" | "mcp_entry", version: string): Runner {
  const target = planEntries(host, toPluginRequest(host, version)).find((each) => each.part === part);
  if (target === undefined) throw new RangeError(`${host} has no ${part}`);
  return target.entry.runner;
}
