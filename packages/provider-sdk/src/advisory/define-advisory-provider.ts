import { runProviderProcess } from "../process/run-provider-process.ts";
import type { AdvisoryProviderDefinition } from "./provider-definition.ts";

export interface AdvisoryProvider {
  /**
   * Runs as the whole program: one request from stdin, one response to stdout, then the process ends. With `--doctor` on
   * the command line the exit code is the answer: 0 ready, 1 not.
   *
   * While it runs, everything else that is printed to stdout goes to stderr.
   */
  readonly run: () => Promise<never>;
}

/** Makes an advisory provider of two functions. Nothing happens until `run` is called. */
export function defineAdvisoryProvider(definition: AdvisoryProviderDefinition): AdvisoryProvider {
  return { run: () => runProviderProcess(definition) };
}
