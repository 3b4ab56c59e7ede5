import { realpathSync } from "node:fs";
import { quoteForShell, type Ambient } from "@loopx/contracts";
import type { InstallScope } from "@loopx/host-commands";
import { findProgram } from "@loopx/store";

/** How this LoopX is called by others. */
export interface OwnProgram {
  /** In a shell of an agent, quoted. */
  readonly shellProgram: string;
  /** By a host itself. */
  readonly argv: readonly [string, ...string[]];
}

/** The two files that run now. */
export interface RunningFiles {
  readonly node: string;
  readonly script: string;
}

/**
 * An agent's shell has its user's PATH, so the name is enough there where it is on it. A host started from a desktop has not,
 * so what it starts itself is named by Node and file; by the names on PATH that lead to them, which an upgrade keeps. A
 * project's files are for everybody who has it: they hold the name alone.
 */
export function findOwnProgram(scope: InstallScope, env: Ambient["env"], { node, script }: RunningFiles): OwnProgram {
  if (scope === "project") return { shellProgram: "loopx", argv: ["loopx"] };
  const named = findProgram("loopx", env["PATH"]);
  const argv = [findSame("node", node, env) ?? node, findSame("loopx", script, env) ?? script] as const;
  const shellProgram = named === undefined ? argv.map((word) => quoteForShell(word)).join(" ") : "loopx";
  return { shellProgram, argv };
}

function findSame(name: string, file: string, env: Ambient["env"]): string | undefined {
  const found = findProgram(name, env["PATH"]);
  return found !== undefined && toReal(found) === toReal(file) ? found : undefined;
}

function toReal(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
