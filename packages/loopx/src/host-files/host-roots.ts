import { join, resolve } from "node:path";
import { LoopxError, type Ambient } from "@loopx/contracts";
import type { Place, RootName } from "@loopx/host-commands";
import { findUserHome } from "../project/home-location.ts";

/** A file of a host on this machine. */
export interface HostFile {
  /** The folder that nothing we read or write may lead out of. */
  readonly boundary: string;
  /** The way below it, with slashes. */
  readonly path: string;
  /** For people and packets: by the variable or `~`, never absolute. */
  readonly label: string;
}

/** Where the places of a plan are. */
export type LocateFile = (place: Place) => HostFile;

interface Root {
  readonly boundary: string;
  readonly prefix: string;
  readonly label: string;
}

/**
 * Locates places by each host's own variables (`CODEX_HOME`, `CLAUDE_CONFIG_DIR`, `OPENCODE_CONFIG_DIR`, `XDG_CONFIG_HOME`),
 * else below the home directory; those of a project below its root.
 *
 * Refuses with `home_missing` where there is no home directory.
 */
export function createLocator(ambient: Pick<Ambient, "env" | "cwd">, projectRoot: string | undefined): LocateFile {
  const home = findUserHome(ambient.env);
  if (home === undefined) {
    throw new LoopxError("home_missing", {
      message: "HOME names no directory, so there is no place for the files of a host",
      hint: "set HOME to your home directory",
    });
  }
  return ({ scope, root, path }) => {
    const found = scope === "user" ? findUserRoot(root, home, ambient) : findProjectRoot(root, projectRoot);
    return {
      boundary: found.boundary,
      path: `${found.prefix}${path}`,
      label: found.label === "" ? path : `${found.label}/${path}`,
    };
  };
}

function findUserRoot(root: RootName, home: string, { env, cwd }: Pick<Ambient, "env" | "cwd">): Root {
  const below = (name: string): Root => ({ boundary: join(home, name), prefix: "", label: `~/${name}` });
  const named = (variable: string, folder = ""): Root | undefined => {
    const value = env[variable];
    if (value === undefined || value === "") return undefined;
    const label = folder === "" ? `$${variable}` : `$${variable}/${folder}`;
    return { boundary: join(resolve(cwd, value), folder), prefix: "", label };
  };
  switch (root) {
    case "codex":
      return named("CODEX_HOME") ?? below(".codex");
    case "claude-code":
      return named("CLAUDE_CONFIG_DIR") ?? below(".claude");
    case "claude-state":
      return named("CLAUDE_CONFIG_DIR") ?? { boundary: home, prefix: "", label: "~" };
    case "opencode":
      return named("OPENCODE_CONFIG_DIR") ?? named("XDG_CONFIG_HOME", "opencode") ?? below(".config/opencode");
    case "cursor":
    case "gemini":
    case "agents":
      return below(`.${root}`);
    case "top":
      return { boundary: home, prefix: "", label: "~" };
    default:
      throw new TypeError(`no folder for ${String(root satisfies never)}`);
  }
}

function findProjectRoot(root: RootName, projectRoot: string | undefined): Root {
  if (projectRoot === undefined) throw new RangeError("a place of a project needs its root");
  const folder = root === "top" || root === "claude-state" ? "" : `.${root === "claude-code" ? "claude" : root}`;
  return { boundary: projectRoot, prefix: folder === "" ? "" : `${folder}/`, label: folder };
}
