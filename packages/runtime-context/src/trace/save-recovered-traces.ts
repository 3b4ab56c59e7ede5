import { insertOnce, type SqlRow, type Transaction } from "@loopx/store";
import { parseTraceJson } from "./trace-search.ts";
import { listSearchedLayers, listSearchedProviders } from "./trace-rows.ts";
import { toTraceSpan } from "./trace-span.ts";
import { renderTraceSummary } from "./trace-summary.ts";

/**
 * Writes what was recovered of a trace store into a new one. What search reads is made again from the traces themselves. Heads
 * and registers stay as they were signed: a chain that lost a trace says so when it is verified.
 */
export async function saveRecoveredTraces(
  tx: Transaction,
  tables: ReadonlyMap<string, readonly SqlRow[]>,
): Promise<{ readonly carriedRows: number; readonly droppedRows: number }> {
  const counts = { carriedRows: 0, droppedRows: 0 };
  const save = async (table: string): Promise<void> => {
    for (const row of tables.get(table) ?? []) {
      if (await insertOnce(tx, table, row)) counts.carriedRows += 1;
      else counts.droppedRows += 1;
    }
  };
  for (const table of ["trace_chains", "trace_registers", "retained_contents"]) await save(table);
  for (const row of tables.get("traces") ?? []) {
    const trace = parseTraceJson(String(row["document"]));
    if (trace === undefined || !(await insertOnce(tx, "traces", { ...row, summary: renderTraceSummary(trace) }))) {
      counts.droppedRows += 1;
      continue;
    }
    counts.carriedRows += 1;
    const position = Number(row["position"]);
    for (const { provider, status, requestDigest } of listSearchedProviders(trace)) {
      await insertOnce(tx, "trace_providers", { provider, position, status, request_digest: requestDigest });
    }
    for (const layer of listSearchedLayers(trace)) await insertOnce(tx, "trace_layers", { layer, position });
    await tx.run(
      `INSERT INTO trace_spans (span, first_position, last_position) VALUES (?, ?, ?) ON CONFLICT (span) DO UPDATE SET
       first_position = MIN(first_position, excluded.first_position), last_position = MAX(last_position, excluded.last_position)`,
      toTraceSpan(trace.at),
      position,
      position,
    );
  }
  await tx.run(
    `INSERT INTO retained_totals (deployment, provider, bytes)
     SELECT deployment, provider, SUM(bytes) FROM retained_contents WHERE sealed IS NOT NULL GROUP BY deployment, provider`,
  );
  return counts;
}
