import { LoopxError, type Instant } from "@loopx/contracts";
import { isConnectionLost, openSqlite, type Database } from "@loopx/store";
import type { KeyRing } from "../keys/key-ring.ts";
import { countContents, type PurgeCause, type PurgeFilter } from "./content-rows.ts";
import type { ContextTrace } from "./context-trace.ts";
import { countKeyUses, type KeyUses } from "./key-uses.ts";
import { findRecordedTurn, findShownTrace, type RecordedTurn } from "./recorded-turn.ts";
import type { RetainedContent } from "./retain-content.ts";
import type { TraceQuery } from "./trace-query.ts";
import { createPlaceCheck, type PlaceCheck } from "./place-check.ts";
import { clearLogPatiently, countAged, pruneInSteps, purgeInSteps, type PruneReport } from "./trace-removal.ts";
import { TraceQueue, type TraceWriteStatus } from "./trace-queue.ts";
import { appendTraces, hasTrace, type TraceWriter, type WrittenTrace } from "./trace-rows.ts";
import type { TraceSafe } from "./trace-safe.ts";
import { TRACE_MIGRATIONS } from "./trace-schema.ts";
import { searchTraces, type TracePage } from "./trace-search.ts";
import { verifyTraces, type ChainReport } from "./verify-traces.ts";

/** How a deployment has its traces kept. */
export interface TraceSigner {
  readonly ring: KeyRing;
  /** `required`: a turn waits for its trace and fails with it. */
  readonly audit: "required" | "best_effort";
}

/** The signer is the one of every trace that is recorded without another. */
export interface TraceRecording extends TraceSigner {
  /** Names this writer's chains. One for each process, so that a damaged chain says whose it is. */
  readonly writer: string;
  now(): Instant;
}

export interface TraceStoreOptions extends TraceRecording {
  /** Of the SQLite file; its directory must exist. */
  readonly path: string;
}

const WRITER = /^[a-z][a-z0-9_.-]{0,95}$/;

/** Opens the trace store, creating it where it is missing. Errors as `openSqlite`; `invalid_id` for the writer's name. */
export async function openTraceStore(options: TraceStoreOptions): Promise<TraceStore> {
  assertWriter(options.writer);
  const database = await openSqlite({
    path: options.path,
    label: "the trace store",
    access: "write",
    journal: "wal",
    migrations: TRACE_MIGRATIONS,
    create: true,
    secureDelete: true,
    now: () => options.now(),
  });
  return new TraceStore(database, options, createPlaceCheck(options.path));
}

/** The trace store in an open database that has `TRACE_MIGRATIONS`, and is closed with it. `invalid_id` as above. */
export function createTraceStore(database: Database, recording: TraceRecording): TraceStore {
  assertWriter(recording.writer);
  return new TraceStore(database, recording, () => undefined);
}

function assertWriter(writer: string): void {
  if (WRITER.test(writer)) return;
  throw new LoopxError("invalid_id", {
    message: "the trace writer's name is malformed",
    details: { field: "writer" },
  });
}

/** The traces of a runtime, written in batches off the request path. */
export class TraceStore {
  readonly #database: Database;
  readonly #first: TraceRecording;
  readonly #checkPlace: PlaceCheck;
  /** By what the ring signs with. */
  readonly #writers = new Map<string, TraceWriter>();
  #isLogStale = false;
  readonly #queue = new TraceQueue((batch) => this.#append(batch));

  constructor(database: Database, first: TraceRecording, checkPlace: PlaceCheck) {
    this.#database = database;
    this.#checkPlace = checkPlace;
    this.#first = first;
    this.#writers.set(signOf(first.ring), first);
  }

  /**
   * Hands a trace over.
   *
   * With `audit: "required"` the promise settles when the trace is durable, and rejects when it isn't. Otherwise it settles
   * at once; the trace is written within a few milliseconds, and a loss shows in `status`. Another deployment's traces, or
   * those under another key, go to chains of their own. Contents are stored with their trace or not at all.
   */
  async record(
    trace: TraceSafe,
    signer: TraceSigner = this.#first,
    contents: readonly RetainedContent[] = [],
  ): Promise<void> {
    const writer = this.#writerOf(signer.ring);
    const failure = await this.#queue.hand({ trace, contents, writer }, signer.audit === "required");
    if (failure !== undefined) throw failure;
  }

  /** Settles when everything handed over so far is written or lost. */
  flush(): Promise<void> {
    return this.#queue.flush();
  }

  get status(): TraceWriteStatus {
    return this.#queue.status;
  }

  /** The trace with this id, as it was written but for content that was kept then and is gone by now. */
  find(id: string): Promise<ContextTrace | undefined> {
    return this.#database.read((tx) => findShownTrace(tx, id));
  }

  /** The trace with this id and all that was kept to carry its turn out again. */
  findRecorded(id: string): Promise<RecordedTurn | undefined> {
    return this.#database.read((tx) => findRecordedTurn(tx, id));
  }

  /** How many traces are under each key, by its id, and how many contents can still be read with it. */
  countKeyUses(): Promise<ReadonlyMap<string, KeyUses>> {
    return this.#database.read(countKeyUses);
  }

  /** How many contents a filter names. */
  countContents(filter: PurgeFilter): Promise<number> {
    return this.#database.read((tx) => countContents(tx, filter));
  }

  /**
   * Removes the contents that a filter names, all of them in steps; resolves to how many. Their traces stay and say so.
   *
   * When it resolves, the bytes are gone from the files too. Throws `store_busy` where other processes didn't let that happen
   * in time: then the same again finishes it.
   */
  async purge(filter: PurgeFilter, because: PurgeCause): Promise<number> {
    const count = await purgeInSteps(this.#database, filter, { because, now: this.#first.now() });
    await clearLogPatiently(this.#database);
    return count;
  }

  /** What `prune` with the same moment would take away. */
  countAged(before: Instant): Promise<PruneReport> {
    return countAged(this.#database, this.#first.ring, before);
  }

  /**
   * Removes the traces that begin the chains of the signer's deployment and are from before a moment, in steps, with what was kept
   * with them. Each chain says so from then on.
   *
   * A chain that isn't as it was signed is left, from the first such trace on. Throws as `purge`.
   */
  prune(before: Instant): Promise<PruneReport> {
    return pruneInSteps(this.#database, this.#first.ring, { before, now: this.#first.now() });
  }

  /**
   * Removes the contents whose time is over, of every deployment in the store. Where the log is in use, the bytes go from it
   * with a later call.
   */
  async purgeExpired(): Promise<number> {
    const now = this.#first.now();
    const count = await purgeInSteps(this.#database, { expiredAt: now }, { because: "expired", now });
    this.#isLogStale ||= count > 0;
    if (this.#isLogStale) this.#isLogStale = !(await this.#database.clearLog());
    return count;
  }

  /** One page, latest first. */
  search(query: TraceQuery): Promise<TracePage> {
    return this.#database.read((tx) => searchTraces(tx, query));
  }

  /** Checks every chain of every writer; reads the whole store. */
  verify(): Promise<readonly ChainReport[]> {
    return verifyTraces(this.#database, this.#first.ring);
  }

  /** Writes what is pending, then closes. */
  async close(): Promise<void> {
    await this.flush();
    await this.#database.close();
  }

  /** A chain is checked with one key of one deployment, so no two of them share a chain. */
  #writerOf(ring: KeyRing): TraceWriter {
    const sign = signOf(ring);
    const known = this.#writers.get(sign);
    if (known !== undefined) return known;
    const fresh = { ring, writer: `${this.#first.writer}.${this.#writers.size + 1}` };
    this.#writers.set(sign, fresh);
    return fresh;
  }

  async #append(batch: readonly WrittenTrace[]): Promise<void> {
    this.#checkPlace();
    try {
      await this.#database.write((tx) => appendTraces(tx, batch, this.#first.now()));
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      await this.#appendAgain(batch);
    }
    // It may have gone in between; said too late is better than never.
    this.#checkPlace();
  }

  /**
   * A batch whose connection was lost, once more on a fresh one: the server may have been started anew since the last turn.
   *
   * Whether it was committed is asked under the write lock, which the lost transaction holds until it has ended, so no trace is
   * written twice and none counts as kept that isn't.
   */
  async #appendAgain(batch: readonly WrittenTrace[]): Promise<void> {
    try {
      await this.#database.write(async (tx) => {
        if (!(await hasTrace(tx, batch[0]?.trace.trace.id ?? ""))) await appendTraces(tx, batch, this.#first.now());
      });
    } catch (error) {
      throw isConnectionLost(error) ? toUnreachableError(error) : error;
    }
  }
}

/** Whatever became of the write: a batch is not taken apart for it, and a trace that may be there doesn't count as kept. */
function toUnreachableError(cause: unknown): LoopxError {
  return new LoopxError("store_unreachable", {
    message: "the server of the trace store cannot be reached; the trace doesn't count as kept",
    hint: "see that the server runs and that its address in --store is right; writing goes on by itself",
    cause,
  });
}

/** Equal for rings that make the same digests. Made once a ring: a turn costs no digest for it. */
function signOf(ring: KeyRing): string {
  const sign = signs.get(ring) ?? ring.toHex("trace-chain", "writer");
  signs.set(ring, sign);
  return sign;
}

const signs = new WeakMap<KeyRing, string>();
