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

/** Stored summaries. One parse for the whole page costs half of one for each. */
export function fromStoredSummaries(summaries: readonly string[]): readonly TraceSummary[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `renderTraceSummary`; `verifyTraces` compares them
  return JSON.parse(`[${summaries.join(",")}]`) as readonly TraceSummary[];
}
