import type { InstallHost, Installer, InstallScope, TargetPart } from "@loopx/host-commands";
import { readContainedFile } from "./contained-file.ts";
import type { LocateFile } from "./host-roots.ts";

/** The plugin that brings a part into a host already, for people; undefined where none does. */
export type FindPlugin = (part: { readonly host: InstallHost; readonly part: TargetPart }) => string | undefined;

/** Looks which hosts have LoopX's own plugin on, each host once. A file that can't be read turns nothing on. */
export function lookForPlugins(scope: InstallScope, locate: LocateFile, installer: Installer): FindPlugin {
  const found = new Map<InstallHost, string | undefined>();
  const look = (host: InstallHost): string | undefined => {
    for (const file of installer.listPluginSwitches(host, scope).places.map(locate)) {
      const reading = readContainedFile(file);
      const name = reading.kind === "text" ? installer.findEnabledPlugin(host, reading.text) : undefined;
      if (name !== undefined) return `plugin ${name} of ${file.label}`;
    }
    return undefined;
  };
  return ({ host, part }) => {
    if (!installer.listPluginSwitches(host, scope).parts.includes(part)) return undefined;
    if (!found.has(host)) found.set(host, look(host));
    return found.get(host);
  };
}
