import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import type { World } from "../../support/cli-world.ts";
import type { ProjectState } from "../../support/project-state.ts";
import { readText } from "../../support/read-field.ts";

/** What was measured at one moment. */
interface Sample {
  readonly second: number;
  readonly storeBytes: number;
  readonly serverRssBytes: number;
  readonly serverHandles: number;
  /** Connections to the database server; null where there is none. */
  readonly connections: number | null;
}

/** Of one table, bytes of its rows as text for one settled turn. */
export interface TableGrowth {
  readonly table: string;
  readonly grown: number;
  /** What stays after a `gc` that keeps the last five events of each goal. */
  readonly compacted: number;
  /** What stays once finished todos are archived and no event has to be kept. */
  readonly least: number;
}

/** How a store and what serves it grew. */
export interface Growth {
  readonly samples: readonly Sample[];
  readonly bytesPerTurn: readonly TableGrowth[];
  readonly storeBytesAfterGc: number;
  /** Largest memory of each command that was looked at. */
  readonly peaks: ReadonlyMap<string, number>;
}

export interface Gauge {
  readonly take: () => Promise<void>;
  readonly conclude: (end: {
    readonly states: Readonly<Record<"before" | "end" | "compacted" | "least", ProjectState>>;
    readonly settledTurns: number;
    readonly peaks: ReadonlyMap<string, number>;
  }) => Promise<Growth>;
}

/** Looks at the store and at a server's process, from outside. */
export async function createGauge(world: World, serverPid: number): Promise<Gauge> {
  const url = world.env["LOOPX_STORE_URL"];
  const schema =
    url === undefined
      ? ""
      : readText(JSON.parse(readFileSync(join(world.project, ".loopx", "store.json"), "utf8")), "schema");
  const startedAt = performance.now();
  const samples: Sample[] = [];
  const measureStore = async (): Promise<Pick<Sample, "storeBytes" | "connections">> => {
    if (url === undefined)
      return { storeBytes: statSync(join(world.project, ".loopx", "state.db")).size, connections: null };
    const [row] = await ask(url, SIZES, [schema]);
    return { storeBytes: Number(row?.["bytes"]), connections: Number(row?.["connections"]) };
  };
  const take = async (): Promise<void> => {
    const second = Math.round((performance.now() - startedAt) / 1_000);
    samples.push({ second, ...(await measureStore()), ...measureProcess(serverPid) });
  };
  await take();
  return {
    take,
    conclude: async ({ states, settledTurns, peaks }) => {
      const perTurn = (state: ProjectState, table: string): number =>
        Math.round((toBytes(state, table) - toBytes(states.before, table)) / Math.max(settledTurns, 1));
      const bytesPerTurn = [...states.least.keys()].map((table) => ({
        table,
        grown: perTurn(states.end, table),
        compacted: perTurn(states.compacted, table),
        least: perTurn(states.least, table),
      }));
      return { samples, bytesPerTurn, storeBytesAfterGc: (await measureStore()).storeBytes, peaks };
    },
  };
}

const SIZES =
  "SELECT (SELECT COALESCE(SUM(pg_total_relation_size(c.oid)), 0) FROM pg_class c JOIN pg_namespace n " +
  "ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r') AS bytes, " +
  "(SELECT COUNT(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()) AS connections";

async function ask(url: string, sql: string, values: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const client = new Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql, [...values]);
    return rows;
  } finally {
    await client.end();
  }
}

function measureProcess(pid: number): Pick<Sample, "serverRssBytes" | "serverHandles"> {
  const kib = Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  return { serverRssBytes: kib * 1_024, serverHandles: readdirSync(`/proc/${pid}/fd`).length };
}

function toBytes(state: ProjectState, table: string): number {
  return (state.get(table) ?? []).reduce((sum, row) => sum + Buffer.byteLength(JSON.stringify(row)), 0);
}
