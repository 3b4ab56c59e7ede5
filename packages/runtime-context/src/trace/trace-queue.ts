import { LoopxError, isLoopxError, type ErrorCode } from "@loopx/contracts";
import type { WrittenTrace } from "./trace-rows.ts";

/** What became of the traces that were handed over. */
export interface TraceWriteStatus {
  readonly storedCount: number;
  readonly pendingCount: number;
  readonly lostCount: number;
  /** Why the last loss happened. */
  readonly lastLossCode: ErrorCode | null;
}

const BATCH_SIZE = 50;
const BATCH_WAIT_MS = 5;
/** Beyond it a store that can't keep up would take the memory of the turns. */
const MOST_PENDING = 5000;
/** Characters of traces and kept contents, each a byte: one turn may keep a mebibyte of every provider. */
const MOST_PENDING_BYTES = 67_108_864;

interface PendingTrace extends WrittenTrace {
  readonly settle: (failure: LoopxError | undefined) => void;
}

/** Traces on their way to the store: written in batches, off the request path. */
export class TraceQueue {
  readonly #append: (batch: readonly WrittenTrace[]) => Promise<void>;
  #pending: PendingTrace[] = [];
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> | undefined;
  #stored = 0;
  #lost = 0;
  #lastLossCode: ErrorCode | null = null;
  #inFlight = 0;
  #pendingBytes = 0;

  /** `append` writes a batch whole or not at all. */
  constructor(append: (batch: readonly WrittenTrace[]) => Promise<void>) {
    this.#append = append;
  }

  get status(): TraceWriteStatus {
    return {
      storedCount: this.#stored,
      pendingCount: this.#pending.length + this.#inFlight,
      lostCount: this.#lost,
      lastLossCode: this.#lastLossCode,
    };
  }

  /** Settles when the trace is written, or lost with the error; at once where nobody awaits it. */
  hand(written: WrittenTrace, isAwaited: boolean): Promise<LoopxError | undefined> {
    return new Promise<LoopxError | undefined>((resolve) => {
      if (!isAwaited) resolve(undefined);
      this.#enqueue({ ...written, settle: isAwaited ? resolve : () => undefined }, isAwaited);
    });
  }

  /** Settles when everything handed over so far is written or lost. */
  async flush(): Promise<void> {
    while (this.#pending.length > 0 || this.#flushing !== undefined) await (this.#flushing ?? this.#startFlush());
  }

  #enqueue(pending: PendingTrace, isAwaited: boolean): void {
    const bytes = countBytes(pending);
    // A trace alone is taken whatever its size: it would never be.
    const isOver = this.#pendingBytes > 0 && this.#pendingBytes + bytes > MOST_PENDING_BYTES;
    if (isOver || this.#pending.length >= MOST_PENDING) {
      const message = "the trace store can't keep up; the trace was not written";
      this.#lose([pending], new LoopxError("store_busy", { message }));
      return;
    }
    this.#pending.push(pending);
    this.#pendingBytes += bytes;
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
      this.#stored += batch.length;
      this.#release(batch);
      for (const { settle } of batch) settle(undefined);
    } catch (error) {
      const failure = toStoreFailure(error);
      // A statement was refused: one trace may be at fault, and the others need not go with it.
      if (batch.length === 1 || failure.code !== "store_failed") {
        this.#release(batch);
        return this.#lose(batch, failure);
      }
      for (const pending of batch) await this.#write([pending]);
    }
  }

  /** Before anybody hears of it: who then hands over another finds the room. */
  #release(batch: readonly PendingTrace[]): void {
    for (const pending of batch) this.#pendingBytes -= countBytes(pending);
  }

  #lose(batch: readonly PendingTrace[], failure: LoopxError): void {
    this.#lost += batch.length;
    this.#lastLossCode = failure.code;
    for (const { settle } of batch) settle(failure);
  }
}

function toStoreFailure(error: unknown): LoopxError {
  return isLoopxError(error)
    ? error
    : new LoopxError("internal", { message: "a trace could not be written", cause: error });
}

function countBytes({ trace, contents }: WrittenTrace): number {
  return contents.reduce((sum, { sealed }) => sum + sealed.length, trace.json.length);
}
