import { isLoopxError, LoopxError } from "@loopx/contracts";
import type { Database } from "../database.ts";
import { isConnectionLost } from "../lost-connection.ts";

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * One connection of a process that lives long: opened when it is needed, and anew after it was lost.
 *
 * An attempt that failed is answered with for a while, each time longer, up to five seconds: a server that comes back isn't
 * met by every turn at once, and a turn doesn't wait for one that is away.
 */
export class PostgresLane {
  readonly #open: () => Promise<Database>;
  readonly #label: string;
  #database: Promise<Database> | undefined;
  #failure: { readonly error: unknown; readonly untilMs: number } | undefined;
  #pauseMs = FIRST_PAUSE_MS;
  #isClosed = false;
  /** Of those that wait for it or use it. */
  useCount = 0;

  constructor(open: () => Promise<Database>, label: string) {
    this.#open = open;
    this.#label = label;
  }

  /** Lets `work` use the connection. Throws what `work` throws, and what opening threw. */
  async use<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
    this.useCount += 1;
    try {
      const database = this.#find();
      return await work(await database).catch((error: unknown) => {
        // A server that takes no writes any more may have left its place to another.
        const isOver = isConnectionLost(error) || (isLoopxError(error) && error.code === "store_read_only");
        if (isOver && this.#database === database) this.#drop();
        throw error;
      });
    } finally {
      this.useCount -= 1;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const database = await this.#database?.catch(() => undefined);
    await database?.close();
  }

  #find(): Promise<Database> {
    if (this.#isClosed) {
      throw new LoopxError("internal", { message: `${this.#label} was used after it was closed` });
    }
    if (this.#failure !== undefined && performance.now() < this.#failure.untilMs) throw this.#failure.error;
    this.#database ??= this.#openOnce();
    return this.#database;
  }

  async #openOnce(): Promise<Database> {
    try {
      const database = await this.#open();
      this.#failure = undefined;
      this.#pauseMs = FIRST_PAUSE_MS;
      return database;
    } catch (error) {
      this.#failure = { error, untilMs: performance.now() + this.#pauseMs };
      this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
      this.#database = undefined;
      throw error;
    }
  }

  #drop(): void {
    const lost = this.#database;
    this.#database = undefined;
    // What waits in its queue is told of the loss; nobody waits for its goodbye.
    void lost?.then((database) => database.close()).catch(() => undefined);
  }
}
