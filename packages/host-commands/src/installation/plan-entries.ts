import { renderShellCommand } from "@loopx/contracts";
import { HOOK_CONTRACTS, type HookHost } from "../hooks/hook-host.ts";
import type { InstallHost } from "./install-host.ts";
import { listUserCopies, type EntryTarget, type Place, type RootName } from "./install-target.ts";
import type { PlanRequest } from "./plan-installation.ts";
import { argvOfCommandLine, argvOfServer, type Runner, type SettingsEntry } from "./settings-entry.ts";

/** How long a host waits for the hook: an ordinary prompt takes a twentieth of a second. */
const HOOK_TIMEOUT_SECONDS = 10;

/** Tokens of four bytes that Codex injects whole (openai/codex, `output_spill.rs`). */
const CODEX_CONTEXT_TOKENS = HOOK_CONTRACTS.codex.contextMaxBytes / 4;

/** The entries of ours in a host's own settings files. */
export function planEntries(host: InstallHost, request: PlanRequest): readonly EntryTarget[] {
  const hook = host === "opencode" ? [] : [planHook(host, request)];
  return [...hook, planServer(host, request)];
}

/**
 * The prompt hook. Of Claude Code's two prompt events only the one that sees every message as typed is registered: with both,
 * a command would be handed over twice.
 */
function planHook(host: HookHost, request: PlanRequest): EntryTarget {
  const place: Place = { scope: request.scope, root: host, path: HOOK_FILES[host] };
  const [event = ""] = HOOK_CONTRACTS[host].events;
  return {
    kind: "entry",
    host,
    part: "hook",
    places: [place],
    format: "json",
    shadows: listUserCopies(place),
    entry: {
      path: ["hooks", event],
      ...(host !== "cursor" && { itemKey: "hooks" }),
      runner: renderRunner(host, request),
      fields: ["command"],
      // Cursor's hooks file names its version.
      skeleton: host === "cursor" ? { version: 1 } : {},
      argvOf: argvOfCommandLine,
      tail: ["hook", host],
    },
  };
}

const HOOK_FILES: Readonly<Record<HookHost, string>> = {
  codex: "hooks.json",
  "claude-code": "settings.json",
  cursor: "hooks.json",
  gemini: "settings.json",
};

function renderRunner(host: HookHost, { argv, codexSurface }: PlanRequest): Runner {
  const surface = host === "codex" && codexSurface !== undefined ? [`--host-surface=${codexSurface}`] : [];
  const command = renderShellCommand([...argv, "hook", host, ...surface]);
  switch (host) {
    case "claude-code":
      return { type: "command", command, timeout: HOOK_TIMEOUT_SECONDS };
    case "codex":
      return {
        type: "command",
        command,
        timeout: HOOK_TIMEOUT_SECONDS,
        additionalContextLimit: CODEX_CONTEXT_TOKENS,
      };
    case "cursor":
      return { command, timeout: HOOK_TIMEOUT_SECONDS };
    case "gemini":
      return { type: "command", name: "loopx", command, timeout: HOOK_TIMEOUT_SECONDS * 1000 };
    default:
      throw new TypeError(`no hook for ${String(host satisfies never)}`);
  }
}

function planServer(host: InstallHost, request: PlanRequest): EntryTarget {
  const { scope, argv, shellProgram } = request;
  const [command, ...words] = argv;
  const server = toServerEntry(["mcpServers"], { command, args: [...words, "mcp"] });
  const at = (root: RootName, path: string): Place => ({ scope, root, path });
  const target = (places: EntryTarget["places"], entry: SettingsEntry): EntryTarget => ({
    kind: "entry",
    host,
    part: "mcp_entry",
    places,
    format: "json",
    shadows: listUserCopies(places[0]),
    entry,
  });
  switch (host) {
    case "codex":
      return {
        ...target([at("codex", "config.toml")], { ...server, path: ["mcp_servers"] }),
        format: "toml",
      };
    case "claude-code":
      return scope === "project"
        ? { ...target([at("top", ".mcp.json")], server), shadows: [] }
        : {
            ...target([at("claude-state", ".claude.json")], server),
            hostCommand: `claude mcp add --scope=user loopx -- ${shellProgram === "loopx" ? "loopx" : "<path of loopx>"} mcp`,
          };
    case "opencode": {
      const root = scope === "project" ? "top" : "opencode";
      const local: Runner = { type: "local", command: [...argv, "mcp"], enabled: true };
      return target([at(root, "opencode.jsonc"), at(root, "opencode.json")], {
        ...toServerEntry(["mcp"], local),
        newerPath: ["mcp", "servers"],
        fields: ["command"],
        skeleton: { $schema: "https://opencode.ai/config.json" },
      });
    }
    case "cursor":
      return target([at("cursor", "mcp.json")], server);
    case "gemini":
      return target([at("gemini", "settings.json")], server);
    default:
      throw new TypeError(`no MCP entry for ${String(host satisfies never)}`);
  }
}

function toServerEntry(path: readonly string[], runner: Runner): SettingsEntry {
  return {
    path,
    name: "loopx",
    runner,
    fields: ["command", "args"],
    skeleton: {},
    argvOf: argvOfServer,
    tail: ["mcp"],
  };
}
