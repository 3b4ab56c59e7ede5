import { spawn } from "@lydell/node-pty";
import { join } from "node:path";
import type { World } from "./cli-world.ts";

/** Creates an owner token as an owner does, at a real terminal, and gives the path of its file. */
export async function createOwnerToken(world: World, name = "owner-token"): Promise<string> {
  const path = join(world.directory, name);
  const args = [world.program, "owner", "token", "create", "--label=test", `--output=${path}`];
  const terminal = spawn(process.execPath, args, { cwd: world.project, env: { ...world.env }, cols: 100 });
  let shown = "";
  terminal.onData((text) => (shown += text));
  const exitCode = await new Promise<number>((resolve) => terminal.onExit((exit) => resolve(exit.exitCode)));
  if (exitCode !== 0) throw new Error(`owner token create: exit ${exitCode}\n${shown}`);
  return path;
}
