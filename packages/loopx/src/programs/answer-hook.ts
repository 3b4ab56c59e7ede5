import { answerHook } from "../commands/host/hook.ts";
import { runProcess } from "../run-process.ts";

/** Runs a `loopx hook …` whose payload was read from stdin already. */
export function run(argv: readonly string[], payload: Buffer): Promise<void> {
  return runProcess(argv, { hook: async () => ({ run: (input) => answerHook(input, payload) }) });
}
