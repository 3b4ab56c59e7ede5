import { spawn } from "@lydell/node-pty";
import type { ShellWorld } from "./shell-world.ts";

/** How a command ended that ran at a terminal, and all that the terminal showed. */
export interface TerminalResult {
  readonly exitCode: number;
  readonly shown: string;
}

/** Runs one command line at a real terminal, as an owner does: no host's marker is in the environment. */
export async function runAtTerminal(world: ShellWorld, line: string, cwd = world.worktree): Promise<TerminalResult> {
  const terminal = spawn("sh", ["-c", line], { cwd, env: { ...world.shellEnv }, cols: 200 });
  let shown = "";
  terminal.onData((text) => (shown += text));
  const exitCode = await new Promise<number>((resolve) => terminal.onExit((exit) => resolve(exit.exitCode)));
  return { exitCode, shown };
}
