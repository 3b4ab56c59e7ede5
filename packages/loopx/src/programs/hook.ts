import { fstatSync } from "node:fs";
import { mayBeCommand } from "../host-message/may-be-command.ts";
import { readStandardInput } from "../input/read-standard-input.ts";

/**
 * All that a prompt hook does for an ordinary prompt, which a host waits for on every message: silence, and a broken payload
 * is no reason to stop a person's message. What may be a command goes to a program that loads the parser.
 */
export async function run(argv: readonly string[]): Promise<boolean> {
  if (argv[0] !== "hook" || isForPeople(argv)) return false;
  const payload = await readStandardInput().catch(() => undefined);
  if (payload === undefined || !mayBeCommand(payload)) return true;
  // By this path the bundler leaves it a program of its own.
  const program = await import("../programs/answer-hook.ts");
  await program.run(argv, payload);
  return true;
}

/** Help, or a terminal on stdin, is somebody trying it out. */
function isForPeople(argv: readonly string[]): boolean {
  if (argv.includes("--help") || argv.includes("-h")) return true;
  try {
    return fstatSync(0).isCharacterDevice();
  } catch {
    return false;
  }
}
