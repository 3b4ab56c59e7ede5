import { ERROR_TABLE, LoopxError } from "@loopx/contracts";
import { createAmbient } from "./ambient.ts";
import { parseCommandLine } from "./command-line/parse-command-line.ts";
import type { CommandLoaders } from "./commands/command-handler.ts";
import { startInterruption } from "./interruption.ts";
import { writeFully } from "./output/write-fully.ts";
import { createProcessFacts } from "./process-facts.ts";
import { renderError, runCommandLine, type CommandOutcome } from "./run-command-line.ts";

/**
 * Runs this process's command line to its end: output written to the last byte, exit code set. Signals and exceptions
 * that nobody caught are answered in the format asked for, like every other failure.
 */
export async function runProcess(argv: readonly string[], loaders: Partial<CommandLoaders>): Promise<void> {
  const world = { ambient: createAmbient(), facts: createProcessFacts() };
  const fail = (error: unknown): CommandOutcome => renderError(error, parseCommandLine(argv).globals, world);
  const endWith = (outcome: CommandOutcome, exitCode = outcome.exitCode): void => {
    void writeOutcome(outcome).finally(() => process.exit(exitCode));
  };
  const endUnanswered = (): void => endWith(fail(new Error("the command ended without an answer")));
  process.on("uncaughtException", (error) => endWith(fail(error)));
  process.on("beforeExit", endUnanswered);
  const interruption = startInterruption((exitCode) => endWith(fail(interruptedError()), exitCode));
  const outcome = await runCommandLine(argv, {
    ...world,
    loaders,
    mayRunChecks: true,
    // What nobody can read, on a full disk or at a terminal that is gone, is no reason to end the command.
    note: (text) => void writeFully(2, text).catch(() => undefined),
    onInterrupt: interruption.onInterrupt,
    untilInterrupted: interruption.untilInterrupted,
  });
  interruption.stop();
  process.off("beforeExit", endUnanswered);
  process.exitCode = outcome.exitCode;
  await writeOutcome(outcome);
}

/** Where the answer itself cannot be written, that is said on the other stream, and the exit code says no. */
async function writeOutcome(outcome: CommandOutcome): Promise<void> {
  if (outcome.stderr !== "") await writeFully(2, outcome.stderr).catch(noteLoss);
  if (outcome.stdout !== "") await writeFully(1, outcome.stdout).catch(noteLoss);
}

async function noteLoss(error: unknown): Promise<void> {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  process.exitCode = ERROR_TABLE.file_not_writable.exit;
  try {
    await writeFully(2, `error: the answer could not be written (${code}); the command itself was carried out\n`);
  } catch {
    // Neither stream takes anything: the exit code is all that is left to say it with.
  }
}

function interruptedError(): LoopxError {
  return new LoopxError("interrupted", {
    message: "the command was interrupted",
    hint: "loopx status",
  });
}
