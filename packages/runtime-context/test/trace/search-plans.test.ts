import { describe, expect, test } from "vitest";
import { parseTraceQuery } from "../../src/trace/trace-query.ts";
import { toSearchStatement } from "../../src/trace/trace-search.ts";
import { describeOnPostgres } from "./trace-engines.ts";
import { createWorld, record } from "./trace-world.ts";

const QUERIES: readonly (readonly [Record<string, string>])[] = [
  [{ provider: "customer-data" }],
  [{ provider: "customer-data", providerStatus: "TIMEOUT" }],
  [{ providerStatus: "TIMEOUT" }],
  [{ layer: "orders" }],
  [{ objective: "resolve-ticket" }],
  [{ consumer: "support-agent" }],
  [{ outcome: "BLOCKED" }],
  [{ since: "2026-11-01T00:00:00Z", until: "2026-12-01T00:00:00Z" }],
  [{ provider: "customer-data", since: "2026-11-01T00:00:00Z" }],
  [{ provider: "customer-data", providerStatus: "TIMEOUT", layer: "orders", cursor: "before-9" }],
];

const REQUEST = { provider: "customer-data", providerStatus: "TIMEOUT", limit: 50, requestDigests: [] } as const;

describe("the plan of a search in SQLite", () => {
  test.each(QUERIES)("%j reads an index in its order: no scan of a table, no sorting", async (raw) => {
    const world = createWorld("sqlite");
    await world.open();
    const { sql, parameters } = toSearchStatement(parseTraceQuery(raw));
    const database = await world.openBeside();
    const plan = await database.read((tx) =>
      tx.all<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...parameters),
    );
    const details = plan.map(({ detail }) => detail);
    expect(details.length).toBeGreaterThan(0);
    // The bounds of a time are one row, made of two.
    for (const detail of details) expect(detail).not.toMatch(/^SCAN (?!bounds?$|CONSTANT ROW$)|TEMP B-TREE/);
    const times = Object.keys(raw).filter((name) => name === "since" || name === "until");
    const near = details.filter((detail) => detail.includes("traces_by_time"));
    expect(near).toHaveLength(times.length);
    // Ten minutes of traces, whatever time is asked for.
    for (const detail of near) expect(detail).toMatch(/^SEARCH .*\(at>\? AND at<\?\)$/);
    expect(
      details.filter((detail) => /^SEARCH trace_spans USING PRIMARY KEY \(span[<>]\?\)/.test(detail)),
    ).toHaveLength(times.length);
  });

  test("a search for a request reads the index of digests in its order", async () => {
    const world = createWorld("sqlite");
    await world.open();
    const { sql, parameters } = toSearchStatement(REQUEST, "hmac-sha256:key_a:00");
    const database = await world.openBeside();
    const plan = await database.read((tx) =>
      tx.all<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...parameters),
    );
    expect(plan.map(({ detail }) => detail)).toEqual([
      "SEARCH p USING INDEX trace_providers_by_request (request_digest=?)",
      "SEARCH t USING INTEGER PRIMARY KEY (rowid=?)",
    ]);
  });
});

describeOnPostgres(() => {
  test("no search reads a table of many traces from its beginning to its end", async () => {
    const world = createWorld("postgres");
    const store = await world.open();
    await record(store, [{ id: "trace-1", at: "2026-10-01T00:00:00.000Z" }]);
    const database = await world.openBeside();
    await database.write(async (tx) => {
      for (const sql of GROW) await tx.run(sql);
    });
    await database.write(async (tx) => void (await tx.run("ANALYZE")));
    const statements = [
      ...QUERIES.map(([raw]) => toSearchStatement(parseTraceQuery(raw))),
      toSearchStatement(REQUEST, "hmac-sha256:key_a:00"),
    ];
    for (const { sql, parameters } of statements) {
      const plan = await database.read((tx) => tx.all<{ "QUERY PLAN": string }>(`EXPLAIN ${sql}`, ...parameters));
      const lines = plan.map((line) => line["QUERY PLAN"]);
      expect(lines.length).toBeGreaterThan(1);
      expect(
        lines.filter((line) => /Seq Scan on (?!trace_spans)/.test(line)),
        `${sql}\n${lines.join("\n")}`,
      ).toEqual([]);
    }
    for (const raw of FROM_THE_MIDDLE) {
      const { sql, parameters } = toSearchStatement(parseTraceQuery(raw));
      const plan = await database.read((tx) =>
        tx.all<{ "QUERY PLAN": string }>(`EXPLAIN ANALYZE ${sql}`, ...parameters),
      );
      const lines = plan.map((line) => line["QUERY PLAN"]);
      const counts = lines.flatMap((line) => Number(/actual .*rows=(\d+)/.exec(line)?.[1] ?? 0));
      expect(Math.max(...counts), lines.join("\n")).toBeGreaterThan(50);
      // Spans of ten minutes are looked at one by one.
      expect(Math.max(...counts), lines.join("\n")).toBeLessThan(2_500);
    }
    expect((await store.search(parseTraceQuery({ providerStatus: "TIMEOUT" }))).traces).toHaveLength(50);
  });
});

/** Pages for which the latest fifteen thousand traces have to be passed over. */
const FROM_THE_MIDDLE = [
  { provider: "customer-data", cursor: "before-15000" },
  { layer: "orders", cursor: "before-15000" },
  { provider: "customer-data", until: "2026-10-11T10:00:00Z" },
  { layer: "orders", until: "2026-10-11T10:00:00Z" },
];

/** Thirty thousand traces like the first, a minute apart; the provider of one in ten was too slow. */
const GROW = [
  `INSERT INTO traces (position, trace_id, chain, sequence, mac, at, objective, consumer, outcome, summary, document)
   SELECT i, 'trace-' || i, chain, i, mac, to_char(timestamp '2026-10-01' + i * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'),
     objective, consumer, outcome, summary, document FROM traces, generate_series(2, 30000) i WHERE position = 1`,
  `INSERT INTO trace_providers (provider, position, status, request_digest)
   SELECT provider, i, CASE WHEN i % 10 = 0 THEN 'TIMEOUT' ELSE status END, 'digest-' || i % 3000
   FROM trace_providers, generate_series(2, 30000) i WHERE position = 1`,
  "INSERT INTO trace_layers (layer, position) SELECT layer, i FROM trace_layers, generate_series(2, 30000) i WHERE position = 1",
  `INSERT INTO trace_spans (span, first_position, last_position)
   SELECT substr(at, 1, 15), MIN(position), MAX(position) FROM traces WHERE position > 1 GROUP BY 1
   ON CONFLICT (span) DO UPDATE SET last_position = excluded.last_position`,
];
