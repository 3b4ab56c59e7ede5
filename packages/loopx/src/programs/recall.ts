import type { CommandLoaders } from "../commands/command-handler.ts";
import { run as recallContext } from "../commands/decision-context/recall-context.ts";
import { runIfAble } from "./run-if-able.ts";

export const RECALL_LOADERS: Partial<CommandLoaders> = {
  "decision-context recall-context": async () => ({ run: recallContext }),
};

/** The recall that an agent waits for while another process searches: what starts that one is all it loads. */
export function run(argv: readonly string[]): Promise<boolean> {
  return runIfAble(argv, RECALL_LOADERS);
}
