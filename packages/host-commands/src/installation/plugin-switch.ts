import type { InstallHost } from "./install-host.ts";
import { listUserCopies, type InstallScope, type Place, type TargetPart } from "./install-target.ts";
import { parseJsonFile, valueOf } from "./json-tree.ts";
import { parseToml } from "./toml-entry.ts";

/** The plugin's name in the catalogue of any marketplace that offers it. */
export const PLUGIN_NAME = "loopx";

/** The package that OpenCode installs by its name. */
export const OPENCODE_PACKAGE = "opencode-loopx";

/** Where a host keeps which plugins are on, and what LoopX's own would bring there. */
export interface PluginSwitches {
  readonly places: readonly Place[];
  readonly parts: readonly TargetPart[];
}

const OF_A_PLUGIN: readonly TargetPart[] = ["facade", "policy", "workflow_skill", "hook", "mcp_entry"];

/** The files that say whether LoopX's plugin is on in a host, as each host documents them (autumn 2026). */
export function listPluginSwitches(host: InstallHost, scope: InstallScope): PluginSwitches {
  switch (host) {
    case "claude-code": {
      const names = scope === "project" ? ["settings.json", "settings.local.json"] : ["settings.json"];
      const own = names.map((path): Place => ({ scope, root: host, path }));
      return { places: [...own, ...own.slice(0, 1).flatMap(listUserCopies)], parts: OF_A_PLUGIN };
    }
    case "codex":
      // A project's own config.toml turns no plugin on.
      return { places: [{ scope: "user", root: host, path: "config.toml" }], parts: OF_A_PLUGIN };
    case "opencode": {
      const names = ["opencode.jsonc", "opencode.json"];
      const own = names.map((path): Place => ({ scope, root: scope === "project" ? "top" : host, path }));
      const users = names.map((path): Place => ({ scope: "user", root: host, path }));
      return { places: scope === "project" ? [...own, ...users] : own, parts: ["facade", "plugin", "mcp_entry"] };
    }
    case "cursor":
    case "gemini":
      return { places: [], parts: [] };
    default:
      throw new TypeError(`no plugins in ${String(host satisfies never)}`);
  }
}

/** LoopX's plugin, for people, where the content of such a file turns it on; undefined where not, or where it can't be read. */
export function findEnabledPlugin(host: InstallHost, content: string): string | undefined {
  switch (host) {
    case "claude-code":
      return findOn(
        readMember(parseJsonc(content), "enabledPlugins"),
        (value) => value === true || Array.isArray(value),
      );
    case "codex":
      return findOn(readMember(parseToml(content), "plugins"), (value) => readMember(value, "enabled") !== false);
    case "opencode": {
      // Version 2 has a key of its own, `plugins`, and can't load this package.
      const list = readMember(parseJsonc(content), "plugin");
      return Array.isArray(list) && list.some(isOurPackage) ? OPENCODE_PACKAGE : undefined;
    }
    case "cursor":
    case "gemini":
      return undefined;
    default:
      throw new TypeError(`no plugins in ${String(host satisfies never)}`);
  }
}

/** A plugin is named with its marketplace behind an @, which may be anybody's; what is no plain name is not repeated. */
function findOn(plugins: unknown, isOn: (value: unknown) => boolean): string | undefined {
  if (typeof plugins !== "object" || plugins === null) return undefined;
  const entries = Object.entries(plugins);
  const name = entries.find(([each, value]) => each.startsWith(`${PLUGIN_NAME}@`) && isOn(value))?.[0];
  return name === undefined || /^[\w.@-]{1,80}$/.test(name) ? name : PLUGIN_NAME;
}

/** An item is a name, or a list of the name and its options. Behind the name may be a version, or an address with a secret. */
function isOurPackage(item: unknown): boolean {
  const name: unknown = Array.isArray(item) ? item[0] : item;
  return typeof name === "string" && (name === OPENCODE_PACKAGE || name.startsWith(`${OPENCODE_PACKAGE}@`));
}

function parseJsonc(content: string): unknown {
  const file = parseJsonFile(content);
  return file && valueOf(file.root);
}

function readMember(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.value;
}
