import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { LoopxError, type Ambient } from "@loopx/contracts";

/** Where this machine's home store and registry lie. `LOOPX_HOME`, else `~/.codex/loopx`. */
export function resolveHomeDirectory(ambient: Pick<Ambient, "env" | "cwd">): string {
  const own = ambient.env["LOOPX_HOME"];
  if (own !== undefined && own !== "") return resolve(ambient.cwd, own);
  const home = findUserHome(ambient.env);
  if (home !== undefined) return join(home, ".codex", "loopx");
  throw new LoopxError("home_missing", {
    message: "HOME names no directory, so there is no place for the LoopX home",
    hint: "set LOOPX_HOME to a directory that may be written",
  });
}

/** The user's home directory, when the environment or the system knows one. */
export function findUserHome(env: Ambient["env"]): string | undefined {
  const home = env["HOME"] ?? systemHome();
  return home !== undefined && isAbsolute(home) ? home : undefined;
}

function systemHome(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

export const HOME_STORE = "home.db";
export const REGISTRY_FILE = "registry.global.json";
export const BACKUPS_DIRECTORY = "backups";
export const ARCHIVES_DIRECTORY = "archives";
