import { createInterface } from "node:readline";
import { LoopxError, neutraliseForTerminal } from "@loopx/contracts";

/** Puts one question to the person at the terminal, on stderr, and gives the line they type, trimmed. */
export type Ask = (question: string) => Promise<string>;

/**
 * Lets `work` ask at the terminal that stdin is.
 *
 * The terminal edits the line, so a signal that is typed reaches the process as ever. Ending the input instead of
 * answering throws `interrupted`.
 */
export async function withQuestions<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result> {
  const lines = createInterface({ input: process.stdin, terminal: false });
  const typed = lines[Symbol.asyncIterator]();
  try {
    return await work(async (question) => {
      process.stderr.write(neutraliseForTerminal(question));
      const line = await typed.next();
      if (line.done !== true) return line.value.trim();
      process.stderr.write("\n");
      throw new LoopxError("interrupted", {
        message: "the input ended before the question was answered",
        hint: "run the same command again: nothing was written",
      });
    });
  } finally {
    lines.close();
    // Otherwise the open stream would keep the process.
    process.stdin.destroy();
  }
}
