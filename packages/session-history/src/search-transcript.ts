import type { RetrievedItem } from "loopx-provider-sdk";
import type { HostRecord } from "./hosts/session-host.ts";
import type { VisibleMessage } from "./hosts/visible-message.ts";
import { cutAroundMatch } from "./ranking/cut-around-match.ts";
import { digestMessage, type MeasuredMessage, measureFor } from "./ranking/measure-message.ts";
import type { QueryTerms } from "./ranking/query-terms.ts";
import { type RankedMessage, rankMessages } from "./ranking/rank-messages.ts";
import type { SessionScope } from "./session-scope.ts";
import type { Transcript } from "./transcripts/open-transcript.ts";

export interface TranscriptSearch {
  readonly scope: SessionScope;
  readonly terms: QueryTerms;
  readonly limit: number;
  readonly signal: AbortSignal;
}

export type SearchOutcome =
  | { readonly kind: "found"; readonly items: readonly RetrievedItem[] }
  /** The file holds another session than its name says. */
  | { readonly kind: "other_session" }
  | { readonly kind: "too_large" }
  /** Its compressed bytes can't be read. */
  | { readonly kind: "damaged" };

/** Some 250 bytes are kept for each record. */
const MAX_RECORDS = 500_000;

/**
 * The best passages of an open transcript. It is read twice: once whole, keeping measures and no text, then again only where
 * the best messages stand.
 */
export async function searchTranscript(transcript: Transcript, search: TranscriptSearch): Promise<SearchOutcome> {
  try {
    const measured = await measureTranscript(transcript, search);
    if (measured === undefined) return { kind: "other_session" };
    if (measured === "too_large") return { kind: "too_large" };
    const ranked = rankMessages(measured, search.limit);
    return { kind: "found", items: await readItems(transcript, ranked, search) };
  } catch (error) {
    search.signal.throwIfAborted();
    if (transcript.isCompressed) return { kind: "damaged" };
    throw error;
  }
}

async function measureTranscript(
  transcript: Transcript,
  { scope, terms, signal }: TranscriptSearch,
): Promise<readonly MeasuredMessage[] | undefined | "too_large"> {
  const { host, sessionId } = scope;
  const reader = host.startReading(sessionId, measureFor(terms));
  for await (const lines of transcript.lines(signal)) {
    for (const { bytes, offset } of lines) {
      const record = host.mayMatter(bytes) ? parseRecord(bytes) : undefined;
      if (record !== undefined) reader.take(record, offset);
    }
    if (reader.count() > MAX_RECORDS) return "too_large";
  }
  return reader.finish();
}

async function readItems(
  transcript: Transcript,
  ranked: readonly RankedMessage[],
  { scope, terms, signal }: TranscriptSearch,
): Promise<readonly RetrievedItem[]> {
  const items: RetrievedItem[] = [];
  const offsets = ranked.map(({ message }) => message.offset);
  for await (const { bytes, offset } of transcript.linesAt(offsets, signal)) {
    const hit = ranked.find(({ message }) => message.offset === offset);
    const record = parseRecord(bytes);
    const message = record === undefined ? undefined : scope.host.findMessage(record);
    // Whoever rewrote the file meanwhile changed what stands there.
    if (hit === undefined || message === undefined || digestMessage(message) !== hit.message.digest) continue;
    items.push({
      resource_ref: `${scope.host.family}:${scope.sessionId}:${offset}`,
      summary: summarise(scope, message),
      content: cutAroundMatch(message.text, terms),
      score: hit.score,
    });
  }
  return items;
}

/** Public, so it says what kind of thing was found and when, and quotes nothing. */
function summarise({ host }: SessionScope, { role, sentAt }: VisibleMessage): string {
  const day = /^\d{4}-\d\d-\d\d(?=T)/.exec(sentAt ?? "")?.[0] ?? "date unknown";
  return `${host.title} session, ${role} message, ${day}`;
}

function parseRecord(bytes: Buffer): HostRecord | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return typeof value === "object" && value !== null ? (value as HostRecord) : undefined;
  } catch {
    // Half written, or not a record: hosts write other things too.
    return undefined;
  }
}
