import { LoopxError, type ErrorCode, isLoopxError, type Instant } from "@loopx/contracts";
import { openSqlite, type Database } from "@loopx/store";
import type { KeyRing } from "../keys/key-ring.ts";
import { countContents, purgeContents, type PurgeCause, type PurgeFilter } from "./content-rows.ts";
import type { ContextTrace } from "./context-trace.ts";
import { countKeyUses, type KeyUses } from "./key-uses.ts";
import { findRecordedTurn, findShownTrace, type RecordedTurn } from "./recorded-turn.ts";
import type { RetainedContent } from "./retain-content.ts";
import type { TraceQuery } from "./trace-query.ts";
import { createPlaceCheck, type PlaceCheck } from "./place-check.ts";
import { appendTraces, type TraceWriter, type WrittenTrace } from "./trace-rows.ts";
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
export interface TraceStoreOptions extends TraceSigner {
  /** Of the SQLite file; its directory must exist. */
  readonly path: string;
  /** Names this writer's chains. One for each process, so that a damaged chain says whose it is. */
  readonly writer: string;
  now(): Instant;
}

/** What became of the traces that were handed over. */
export interface TraceWriteStatus {
  readonly storedCount: number;
  readonly pendingCount: number;
  readonly lostCount: number;
  /** Why the last loss happened. */
  readonly lastLossCode: ErrorCode | null;
}

/** Contents purged in one transaction: other writers wait for it. */
const PURGE_STEP = 200;
const BATCH_SIZE = 50;
const BATCH_WAIT_MS = 5;
/** Beyond it a store that can't keep up would take the memory of the turns. */
const MOST_PENDING = 5000;

const WRITER = /^[a-z][a-z0-9_.-]{0,95}$/;

/** Opens the trace store, creating it where it is missing. Errors as `openSqlite`; `invalid_id` for the writer's name. */
export async function openTraceStore(options: TraceStoreOptions): Promise<TraceStore> {
  if (!WRITER.test(options.writer)) {
    throw new LoopxError("invalid_id", {
      message: "the trace writer's name is malformed",
      details: { field: "writer" },
    });
  }
  const database = await openSqlite({
    path: options.path,
    label: "the trace store",
    access: "write",
    journal: "wal",
    migrations: TRACE_MIGRATIONS,
    create: true,
    now: () => options.now(),
  });
  return new TraceStore(database, options, { checkPlace: createPlaceCheck(options.path), now: () => options.now() });
}

interface PendingTrace extends WrittenTrace {
  readonly settle: (failure: LoopxError | undefined) => void;
}

/** The traces of a runtime, written in batches off the request path. */
export class TraceStore {
  readonly #database: Database;
  readonly #first: TraceSigner & TraceWriter;
  readonly #checkPlace: PlaceCheck;
  readonly #now: () => Instant;
  /** By what the ring signs with. */
  readonly #writers = new Map<string, TraceWriter>();
  #pending: PendingTrace[] = [];
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;
  #stored = 0;
  #lost = 0;
  #lastLossCode: ErrorCode | null = null;
  #inFlight = 0;

  constructor(
    database: Database,
    first: TraceSigner & TraceWriter,
    { checkPlace, now }: { readonly checkPlace: PlaceCheck; readonly now: () => Instant },
  ) {
    this.#database = database;
    this.#checkPlace = checkPlace;
    this.#now = now;
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
    const failure = await new Promise<LoopxError | undefined>((resolve) => {
      const isAwaited = signer.audit === "required";
      if (!isAwaited) resolve(undefined);
      this.#enqueue({ trace, contents, writer, settle: isAwaited ? resolve : () => undefined }, isAwaited);
    });
    if (failure !== undefined) throw failure;
  }

  /** Settles when everything handed over so far is written or lost. */
  async flush(): Promise<void> {
    while (this.#pending.length > 0 || this.#flushing !== undefined) await (this.#flushing ?? this.#startFlush());
  }

  get status(): TraceWriteStatus {
    return {
      storedCount: this.#stored,
      pendingCount: this.#pending.length + this.#inFlight,
      lostCount: this.#lost,
      lastLossCode: this.#lastLossCode,
    };
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

  /** Removes the contents that a filter names, all of them in steps; resolves to how many. Their traces stay and say so. */
  async purge(filter: PurgeFilter, because: PurgeCause): Promise<number> {
    // Mostly there is nothing to remove, and looking takes no lock from a writer.
    if ((await this.countContents(filter)) === 0) return 0;
    let count = 0;
    for (let purged = PURGE_STEP; purged === PURGE_STEP; count += purged) {
      const options = { because, now: this.#now(), limit: PURGE_STEP };
      purged = await this.#database.write((tx) => purgeContents(tx, filter, options));
    }
    return count;
  }

  /** Removes the contents whose time is over, of every deployment in the store. */
  purgeExpired(): Promise<number> {
    return this.purge({ expiredAt: this.#now() }, "expired");
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

  #enqueue(pending: PendingTrace, isAwaited: boolean): void {
    if (this.#pending.length >= MOST_PENDING) {
      const message = "the trace store can't keep up; the trace was not written";
      this.#lose([pending], new LoopxError("store_busy", { message }));
      return;
    }
    this.#pending.push(pending);
    if (this.#flushing !== undefined) return;
    if (isAwaited || this.#pending.length >= BATCH_SIZE) void this.#startFlush();
    else this.#timer ??= setTimeout(() => void this.#startFlush(), BATCH_WAIT_MS);
  }

  /** One flush at a time; what comes meanwhile goes with it. Never rejects. */
  #startFlush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushing ??= this.#drain();
    return this.#flushing;
  }

  async #drain(): Promise<void> {
    // What is handed over in the same tick shares a transaction.
    await Promise.resolve();
    while (this.#pending.length > 0) {
      const batch = this.#pending.splice(0, BATCH_SIZE);
      this.#inFlight = batch.length;
      await this.#write(batch);
      this.#inFlight = 0;
    }
    // In the same step as the last look at `#pending`: a trace handed over between the two would wait for nobody.
    this.#flushing = undefined;
  }

  async #write(batch: readonly PendingTrace[]): Promise<void> {
    try {
      await this.#append(batch);
    } catch (error) {
      const failure = toStoreFailure(error);
      // A statement was refused: one trace may be at fault, and the others need not go with it.
      if (batch.length === 1 || failure.code !== "store_failed") return this.#lose(batch, failure);
      for (const pending of batch) await this.#write([pending]);
    }
  }

  async #append(batch: readonly PendingTrace[]): Promise<void> {
    this.#checkPlace();
    await this.#database.write((tx) => appendTraces(tx, batch, this.#now()));
    // It may have gone in between; said too late is better than never.
    this.#checkPlace();
    this.#stored += batch.length;
    for (const { settle } of batch) settle(undefined);
  }

  #lose(batch: readonly PendingTrace[], failure: LoopxError): void {
    this.#lost += batch.length;
    this.#lastLossCode = failure.code;
    for (const { settle } of batch) settle(failure);
  }
}

/** Equal for rings that make the same digests. Made once a ring: a turn costs no digest for it. */
function signOf(ring: KeyRing): string {
  const sign = signs.get(ring) ?? ring.toHex("trace-chain", "writer");
  signs.set(ring, sign);
  return sign;
}

const signs = new WeakMap<KeyRing, string>();

function toStoreFailure(error: unknown): LoopxError {
  return isLoopxError(error)
    ? error
    : new LoopxError("internal", { message: "a trace could not be written", cause: error });
}
