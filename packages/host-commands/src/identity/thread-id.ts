import { parseThreadId, type ThreadId } from "@loopx/contracts";

/** Where a thread id may come from. */
export interface ThreadIdSources {
  /** `--thread-id` as typed. */
  readonly typed: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True on a surface that reads it, and for commands that know no surface. */
  readonly readsCodexThreadId: boolean;
}

/**
 * The caller's stable thread id: the typed one, else CODEX_THREAD_ID where it is read; undefined when there is none.
 *
 * An empty variable is none. A malformed id is refused with `invalid_id` wherever it came from: it is never a wildcard, and
 * falling back to "no thread" would let a broken host pass for a new one.
 */
export function findThreadId(sources: ThreadIdSources): ThreadId | undefined {
  if (sources.typed !== undefined) return parseThreadId(sources.typed);
  const fromHost = sources.readsCodexThreadId ? (sources.env["CODEX_THREAD_ID"] ?? "") : "";
  return fromHost === "" ? undefined : parseThreadId(fromHost, "CODEX_THREAD_ID");
}
