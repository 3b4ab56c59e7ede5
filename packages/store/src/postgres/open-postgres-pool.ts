import type { Database, Transaction } from "../database.ts";
import { openPostgres, type OpenPostgresOptions } from "./open-postgres.ts";
import { PostgresLane } from "./postgres-lane.ts";

/** A slow read holds up no write, and a second one no other read. */
const READER_COUNT = 2;

/**
 * Opens a store for a server that lives long, as `openPostgres` does: with one connection that writes and two that read.
 *
 * A connection that is lost fails what it carried and is opened anew by the next that needs it; nothing is done twice.
 */
export async function openPostgresPool(options: OpenPostgresOptions): Promise<Database> {
  const { label } = options;
  const first = await openPostgres(options);
  let writer: Database | undefined = first;
  const openWriter = async (): Promise<Database> => {
    const database = writer ?? (await openPostgres({ ...options, create: false }));
    writer = undefined;
    return database;
  };
  const openReader = (): Promise<Database> => openPostgres({ ...options, access: "read", create: false });
  return new PostgresPool({
    isWritable: first.isWritable,
    writer: new PostgresLane(openWriter, label),
    readers: Array.from({ length: READER_COUNT }, () => new PostgresLane(openReader, label)),
  });
}

interface PoolParts {
  readonly isWritable: boolean;
  readonly writer: PostgresLane;
  readonly readers: readonly PostgresLane[];
}

class PostgresPool implements Database {
  readonly engine = "postgres";
  readonly isWritable: boolean;
  readonly #writer: PostgresLane;
  readonly #readers: readonly PostgresLane[];

  constructor({ isWritable, writer, readers }: PoolParts) {
    this.isWritable = isWritable;
    this.#writer = writer;
    this.#readers = readers;
  }

  read<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#findReader().use((database) => database.read(work));
  }

  write<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#writer.use((database) => database.write(work));
  }

  clearLog(): Promise<boolean> {
    return this.#writer.use((database) => database.clearLog());
  }

  returnFreeSpace(): ReturnType<Database["returnFreeSpace"]> {
    return this.#writer.use((database) => database.returnFreeSpace());
  }

  backupTo(path: string): Promise<void> {
    return this.#findReader().use((database) => database.backupTo(path));
  }

  async close(): Promise<void> {
    await Promise.all([this.#writer, ...this.#readers].map((lane) => lane.close()));
  }

  #findReader(): PostgresLane {
    return this.#readers.reduce((best, lane) => (lane.useCount < best.useCount ? lane : best));
  }
}
