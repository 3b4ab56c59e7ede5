import { resolve } from "node:path";
import type { Ambient } from "@loopx/contracts";
import { toAmbientAt } from "../ambient.ts";
import { findHostMarker } from "@loopx/host-commands";
import type { CommandInput } from "../commands/command-handler.ts";
import type { ProcessFacts } from "../process-facts.ts";
import { findUserHome } from "../project/home-location.ts";
import { parseProjectFolder } from "../project/project-roots.ts";

/** What every call through one server has in common. */
export interface AgentWorld {
  readonly ambient: Ambient;
  /** Global flags that stand for those the server was started with. */
  readonly globalFlags: readonly string[];
  /** Whether `--project` is among them; a call that names its own replaces it. */
  readonly hasProject: boolean;
}

/** An agent has no terminal, whatever the server was started from. */
export const NO_TERMINAL: ProcessFacts = {
  isStdinTerminal: false,
  isStdoutTerminal: false,
  isStderrTerminal: false,
  columns: 80,
};

/**
 * The world of a server: it stands in the project it was started for, so that no answer repeats that folder's path.
 *
 * Refuses with `project_not_resolved`.
 */
export function createAgentWorld({ ambient, globals }: Pick<CommandInput<"mcp">, "ambient" | "globals">): AgentWorld {
  const { project, registry, verbose } = globals;
  const from = { cwd: ambient.cwd, userHome: findUserHome(ambient.env) };
  const cwd = project === undefined ? ambient.cwd : parseProjectFolder(project, from);
  return {
    ambient: toAmbientAt(ambient, { env: toAgentEnvironment(ambient.env), cwd }),
    globalFlags: [
      ...(registry === undefined ? [] : [`--registry=${resolve(ambient.cwd, registry)}`]),
      ...(verbose ? ["--verbose"] : []),
    ],
    hasProject: project !== undefined,
  };
}

/**
 * A server may serve several threads, so only a call can say which one it comes from; and many hosts start their MCP
 * servers without the marker that their commands carry, so one is added: nobody behind it passes for an owner.
 */
function toAgentEnvironment(env: Ambient["env"]): Ambient["env"] {
  const { CODEX_THREAD_ID: _thread, ...rest } = env;
  return findHostMarker(rest) === undefined ? { ...rest, AI_AGENT: "mcp" } : rest;
}
