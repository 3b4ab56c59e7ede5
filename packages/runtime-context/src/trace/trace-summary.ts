import { LoopxError } from "@loopx/contracts";
import type { ContextTrace } from "./context-trace.ts";

/** What a list shows of a trace. */
export interface TraceSummary extends Pick<
  ContextTrace,
  "id" | "at" | "objective" | "consumer" | "profile" | "outcome" | "durationMs"
> {
  readonly providers: readonly Pick<ContextTrace["providers"][number], "provider" | "status" | "reason">[];
}

/** The summary of a trace as JSON, as it is stored beside it. */
export function renderTraceSummary(trace: ContextTrace): string {
  const { id, at, objective, consumer, profile, outcome, durationMs } = trace;
  const providers = trace.providers.map(({ provider, status, reason }) => ({ provider, status, reason }));
  const summary: TraceSummary = { id, at, objective, consumer, profile, outcome, durationMs, providers };
  return JSON.stringify(summary);
}

/**
 * Stored summaries. One parse for the whole page costs half of one for each. Refuses with `store_corrupt` a page in which one is
 * none any more.
 */
export function fromStoredSummaries(summaries: readonly string[]): readonly TraceSummary[] {
  const parsed = parseList(summaries);
  if (parsed?.length !== summaries.length) throw toDamagedTraceError();
  return parsed;
}

function parseList(summaries: readonly string[]): readonly TraceSummary[] | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `renderTraceSummary`; `verifyTraces` compares them
    const list = JSON.parse(`[${summaries.join(",")}]`) as readonly TraceSummary[];
    return list.every((summary) => Array.isArray(summary?.providers)) ? list : undefined;
  } catch {
    return undefined;
  }
}

/** The refusal of a trace whose text is no trace any more. */
export function toDamagedTraceError(): LoopxError {
  return new LoopxError("store_corrupt", {
    message: "the trace store is damaged: a trace in it is none any more; it was left as it is",
    hint: "loopx doctor",
  });
}
