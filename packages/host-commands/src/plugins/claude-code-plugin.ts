import { PLUGIN_NAME } from "../installation/plugin-switch.ts";
import { AUTHOR, describePlugin, DESCRIPTION, listPluginParts, renderJson, type PluginFile } from "./plugin-parts.ts";

/**
 * A plugin for Claude Code, by its plugin reference: only the manifest is in `.claude-plugin`. Skills, hooks and servers are
 * found where they are by convention; the manifest may name other places, but the usual ones not a second time.
 */
export function renderClaudeCodePlugin(version: string): readonly PluginFile[] {
  return [
    { path: ".claude-plugin/plugin.json", text: renderJson(describePlugin(version)) },
    ...listPluginParts("claude-code", version),
  ];
}

/** The catalogue that Claude Code reads at the top of a repository. The version is the manifest's alone, which goes before. */
export function renderClaudeCodeMarketplace(source: string): PluginFile {
  const marketplace = {
    name: PLUGIN_NAME,
    owner: AUTHOR,
    description: DESCRIPTION,
    plugins: [{ name: PLUGIN_NAME, source, description: DESCRIPTION }],
  };
  return { path: ".claude-plugin/marketplace.json", text: renderJson(marketplace) };
}
