import type { Instant } from "@loopx/contracts";

/**
 * One removal of events of a goal, by a policy that an owner gave. What stays answers for the state at `through_seq` and
 * after it as before.
 */
export interface Compaction {
  readonly goal_id: string;
  readonly compaction_id: string;
  /** The first event that was removed. */
  readonly from_seq: number;
  /** The cutoff: no event after it was removed, and the state is answerable from here on. */
  readonly through_seq: number;
  /** When the event at the cutoff happened. */
  readonly through_at: Instant;
  readonly removed_count: number;
  /** Of the removed rows, as text. */
  readonly removed_bytes: number;
  readonly older_than_ms: number | null;
  readonly keep_events: number | null;
  /** File name of the archive; null where the owner wanted none. */
  readonly archive: string | null;
  readonly archive_digest: string | null;
  readonly compacted_at: Instant;
}
