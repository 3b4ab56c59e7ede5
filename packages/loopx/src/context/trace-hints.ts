import { isLoopxError, LoopxError } from "@loopx/contracts";
import { TRACE_FILE, type TraceStorePlace } from "./trace-store-place.ts";

/** What any store says when it is damaged; `loopx status` looks at no trace store, and `loopx doctor` only with `--deep`. */
const OF_PROJECTS = /\bloopx (?:doctor|status)\b/;
/** What a project's store calls its address, in words that a person reads. */
const ADDRESS = /\bstore\.url\b/g;

/** Lets `work` use a trace store; what it refuses names the flag and what can be done about such a store. */
export async function withTraceHint<Result>(
  kind: TraceStorePlace["kind"],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isLoopxError(error) || error.hint === undefined) throw error;
    const hint = OF_PROJECTS.test(error.hint) ? HINTS[kind](error.code) : error.hint.replaceAll(ADDRESS, "--store");
    if (hint === error.hint) throw error;
    throw new LoopxError(error.code, {
      message: error.message,
      hint,
      ...(error.details === undefined ? {} : { details: error.details }),
      cause: error,
    });
  }
}

const HINTS: Readonly<Record<TraceStorePlace["kind"], (code: LoopxError["code"]) => string>> = {
  file: (code) =>
    code === "store_corrupt"
      ? `carry over what can be read: loopx recover --store=DIR, or move ${TRACE_FILE} and what is named after it out of the folder`
      : "look at the folder named with --store and its disk, or name another",
  server: (code) => {
    if (code === "store_missing") return "name the server and schema that context turn or context serve was given";
    if (code === "store_corrupt") return "name another schema: --store='postgresql://USER@HOST/DATABASE?schema=NAME'";
    return "look at the server's log, or name another with --store";
  },
};
