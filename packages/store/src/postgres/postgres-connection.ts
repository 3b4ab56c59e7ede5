import { Client } from "pg";
import { renderPostgresAddress, toTlsOptions, type PostgresAddress } from "./postgres-address.ts";
import { toPostgresError } from "./postgres-errors.ts";

const CONNECT_TIMEOUT_MS = 10_000;
const CLOSE_TIMEOUT_MS = 2_000;

/** What a statement answered. */
export interface PostgresAnswer {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly changedCount: number;
}

/** One connection to a server. */
export interface PostgresConnection {
  /** One statement with its parameters. Throws the driver's errors. */
  query(sql: string, parameters: readonly (string | null)[]): Promise<PostgresAnswer>;
  /** Several statements in one text, without parameters. Throws the driver's errors. */
  execute(sql: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Connects, in at most 10 seconds. A statement that the server says nothing to for `answerTimeoutMs` fails without it: a way
 * that is cut off tells nobody.
 *
 * Refuses with `store_unreachable`, `store_access_denied`, `store_missing` (no such database), `store_busy` (too many
 * connections).
 */
export async function connectPostgres(
  address: PostgresAddress,
  { label, answerTimeoutMs }: { readonly label: string; readonly answerTimeoutMs: number },
): Promise<PostgresConnection> {
  const { host, port, user, databaseName, password } = address;
  const client = new Client({
    host,
    port,
    user,
    database: databaseName,
    // A function, or the driver would look for a password in places that nobody named.
    password: () => password ?? "",
    ssl: toTlsOptions(address),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: answerTimeoutMs,
    application_name: "loopx",
    client_encoding: "UTF8",
    keepAlive: true,
    types: { getTypeParser: () => keepText },
  });
  // A connection that is lost between two statements is told by the next one.
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    await end(client);
    throw toPostgresError(error, `${label} (${renderPostgresAddress(address)})`, "connect");
  }
  return {
    query: async (sql, parameters) => {
      const { rows, fields, rowCount } = await client.query<Record<string, unknown>>(sql, [...parameters]);
      const readers = fields.map(({ name, dataTypeID }) => [name, READERS[dataTypeID]] as const);
      return { rows: rows.map((row) => readRow(row, readers)), changedCount: rowCount ?? 0 };
    },
    execute: async (sql) => void (await client.query(sql)),
    close: () => end(client),
  };
}

const keepText = (value: string): string => value;
const toNumber = (value: string): number => Number(value);

/** By the server's numbers of its types: bool, int8, int2, int4, float4, float8, numeric. The port knows no boolean. */
const READERS: Readonly<Record<number, ((value: string) => number) | undefined>> = {
  16: (value) => (value === "t" ? 1 : 0),
  20: toNumber,
  21: toNumber,
  23: toNumber,
  700: toNumber,
  701: toNumber,
  1700: toNumber,
};

function readRow(
  row: Record<string, unknown>,
  readers: readonly (readonly [string, ((value: string) => number) | undefined])[],
): Record<string, unknown> {
  for (const [name, read] of readers) {
    const value = row[name];
    if (read !== undefined && typeof value === "string") row[name] = read(value);
  }
  return row;
}

/** A server that is gone says nothing, so the goodbye is not waited for without end. */
async function end(client: Client): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
  });
  await Promise.race([client.end().catch(() => {}), patience]);
  clearTimeout(timer);
}
