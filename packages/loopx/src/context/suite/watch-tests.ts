import { join } from "node:path";
import { isLoopxError, type LoopxError } from "@loopx/contracts";
import { PROJECT_FILES } from "@loopx/runtime-context/offline";
import type { CommandInput } from "../../commands/command-handler.ts";
import type { CommandResult } from "../../output/command-result.ts";
import { createTextStyle, mayStyle } from "../../output/text-style.ts";
import { markFiles, waitForChange } from "./watch-files.ts";

/** One run of a project's tests. */
export interface TestRun {
  readonly result: CommandResult;
  /** Of the project, absolute. */
  readonly files: readonly string[];
}

/** The files whose change is a change of the project. */
export function listWatchedFiles(directory: string, layerFiles: Iterable<string>): readonly string[] {
  return [...PROJECT_FILES, ...layerFiles].map((file) => join(directory, file));
}

/**
 * Runs tests again whenever a file of the project changes, until the first SIGINT or SIGTERM, and gives the last answer.
 *
 * Each run is a note, so that stdout keeps the one answer. Rejects with the project's fault where it ends broken.
 */
export async function watchTests(
  directory: string,
  runTests: () => Promise<TestRun>,
  input: CommandInput<"context test">,
): Promise<CommandResult> {
  const { ambient, facts, globals, note } = input;
  const stop = new AbortController();
  void input.untilInterrupted().then(() => stop.abort());
  const isStyled = mayStyle({ noColor: globals.noColor, env: ambient.env, isTerminal: facts.isStderrTerminal });
  const style = createTextStyle(isStyled, facts.columns);
  let files = listWatchedFiles(directory, []);
  for (;;) {
    const [known, mark] = [files, markFiles(files)];
    const last = await tryRun(runTests);
    files = "files" in last ? last.files : known;
    note("files" in last ? last.result.text(style) : `${style.red("not run")}  ${last.error.message}`);
    note(style.dim("waiting for a change"));
    // What changed during the run counts; files that it was the first to name are looked at from now on.
    const isKnown = files.join("\n") === known.join("\n");
    const hasChanged = await waitForChange(files, isKnown ? mark : markFiles(files), stop.signal);
    if (hasChanged) continue;
    if ("error" in last) throw last.error;
    return last.result;
  }
}

/** A project that is broken for the moment doesn't end the watch. */
async function tryRun(runTests: () => Promise<TestRun>): Promise<TestRun | { readonly error: LoopxError }> {
  try {
    return await runTests();
  } catch (error) {
    if (isLoopxError(error)) return { error };
    throw error;
  }
}
