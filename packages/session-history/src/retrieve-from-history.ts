import { type RetrieveAnswer, type RetrieveRequest, unavailable } from "loopx-provider-sdk";
import { listQueryTerms } from "./ranking/query-terms.ts";
import { type SearchOutcome, searchTranscript, type TranscriptSearch } from "./search-transcript.ts";
import { isInvokingSession, parseSessionScope } from "./session-scope.ts";
import { findTranscripts } from "./transcripts/find-transcripts.ts";
import { openTranscript, type Transcript } from "./transcripts/open-transcript.ts";

export interface HistoryWorld {
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/**
 * The passages of one session that answer a query best. Reads that session's file alone, and writes nothing.
 *
 * Unavailable with `scope_unsupported`, `session_is_invoking`, `session_store_missing`, `session_not_found`,
 * `session_unreadable`, `session_compressed_unreadable`, `session_too_large`. Throws when the signal is aborted.
 */
export async function retrieveFromHistory(request: RetrieveRequest, world: HistoryWorld): Promise<RetrieveAnswer> {
  const scope = parseSessionScope(request.scope_ref);
  if (scope === undefined) return unavailable("scope_unsupported");
  if (isInvokingSession(scope, world.environment)) return unavailable("session_is_invoking");
  const terms = listQueryTerms(request.query);
  const found = await findTranscripts(scope, world.environment, world.signal);
  let reason = found.hasUnreadable ? "session_unreadable" : "session_not_found";
  if (!found.hasStore && !found.hasUnreadable) reason = "session_store_missing";
  for (const file of found.files) {
    const opened = await openTranscript(file);
    if (opened.kind === "unreadable") reason = "session_unreadable";
    if (opened.kind === "compression_unknown") reason = "session_compressed_unreadable";
    if (opened.kind !== "opened") continue;
    const search = { scope, terms, limit: request.max_results, signal: world.signal };
    const outcome = await searchAndClose(opened.transcript, search);
    if (outcome.kind === "found") return outcome.items;
    if (outcome.kind === "too_large") return unavailable("session_too_large");
    if (outcome.kind === "damaged") reason = "session_compressed_unreadable";
  }
  return unavailable(reason);
}

async function searchAndClose(transcript: Transcript, search: TranscriptSearch): Promise<SearchOutcome> {
  try {
    return await searchTranscript(transcript, search);
  } finally {
    await transcript.close();
  }
}
