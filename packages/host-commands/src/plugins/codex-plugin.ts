import { PLUGIN_NAME } from "../installation/plugin-switch.ts";
import { AUTHOR, describePlugin, DESCRIPTION, listPluginParts, renderJson, type PluginFile } from "./plugin-parts.ts";

const CATEGORY = "Productivity";

/** A plugin for Codex, by openai/codex `core-plugins/src/manifest.rs`: paths begin with `./` and stay inside of the plugin. */
export function renderCodexPlugin(version: string): readonly PluginFile[] {
  const manifest = {
    ...describePlugin(version),
    skills: "./skills/",
    hooks: "./hooks/hooks.json",
    mcpServers: "./.mcp.json",
    interface: {
      displayName: "LoopX",
      shortDescription: "Goals, todos, gates and turns for coding agents",
      longDescription: `${DESCRIPTION} Needs that program on PATH; its prompt hook runs after you trust it in /hooks.`,
      developerName: AUTHOR.name,
      category: CATEGORY,
      capabilities: ["Interactive", "Read", "Write"],
      // At most three, of at most 128 characters each.
      defaultPrompt: ["Show how this project's LoopX goal stands."],
    },
  };
  return [{ path: ".codex-plugin/plugin.json", text: renderJson(manifest) }, ...listPluginParts("codex", version)];
}

/** The catalogue that Codex reads at the top of a repository, before any of Claude Code's. */
export function renderCodexMarketplace(path: string): PluginFile {
  const marketplace = {
    name: PLUGIN_NAME,
    interface: { displayName: "LoopX" },
    plugins: [
      {
        name: PLUGIN_NAME,
        source: { source: "local", path },
        policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
        category: CATEGORY,
      },
    ],
  };
  return { path: ".agents/plugins/marketplace.json", text: renderJson(marketplace) };
}
