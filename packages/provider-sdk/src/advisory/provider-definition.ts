import type { RetrieveRequest } from "./retrieve-request.ts";
import type { RetrieveAnswer } from "./retrieve-response.ts";

export interface DoctorContext {
  /** The words of the command line but for `--doctor`: what `args` of the manifest's runtime says. */
  readonly args: readonly string[];
}

export interface RetrieveContext extends DoctorContext {
  /** Aborted when the time for an answer is over. */
  readonly signal: AbortSignal;
  /** Milliseconds left for an answer, by the clock: right also in a loop that lets no timer run. */
  readonly remainingMs: () => number;
}

export interface AdvisoryProviderDefinition {
  /** Whether `retrieve` could work now. False, or anything thrown, leaves the extension not ready. */
  readonly doctor: (context: DoctorContext) => boolean | Promise<boolean>;
  /**
   * Looks for passages. What it throws becomes `unavailable` with `provider_error`; an answer that breaks the contract,
   * `provider_answer_invalid`; one that comes too late, `deadline_exceeded`.
   */
  readonly retrieve: (request: RetrieveRequest, context: RetrieveContext) => RetrieveAnswer | Promise<RetrieveAnswer>;
}
