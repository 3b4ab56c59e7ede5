import type { CommandLoaders } from "../commands/command-handler.ts";
import { run as refreshState } from "../commands/quota/refresh-state.ts";
import { run as spend } from "../commands/quota/spend.ts";
import { run as addTodo } from "../commands/todo/add.ts";
import { run as claimTodo } from "../commands/todo/claim.ts";
import { run as completeTodo } from "../commands/todo/complete.ts";
import { runIfAble } from "./run-if-able.ts";

export const EVERY_TURN_LOADERS: Partial<CommandLoaders> = {
  "quota spend": async () => ({ run: spend }),
  "refresh-state": async () => ({ run: refreshState }),
  "todo add": async () => ({ run: addTodo }),
  "todo claim": async () => ({ run: claimTodo }),
  "todo complete": async () => ({ run: completeTodo }),
};

/**
 * The commands of an agent's every turn but the question that begins it, imported outright: a bundler leaves what they need as top-level functions, which
 * V8 reads once, where a module behind `import()` becomes a function whose content it reads twice.
 */
export function run(argv: readonly string[]): Promise<boolean> {
  return runIfAble(argv, EVERY_TURN_LOADERS);
}
