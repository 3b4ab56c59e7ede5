import { useState, type ReactNode } from "react";
import type { ContextProjectAnswer } from "../../contract/context.ts";
import type { ContextTraceRow, ContextTraceSearch } from "../../contract/context-traces.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Time } from "../../components/time.tsx";
import { VirtualList } from "../../components/virtual-list.tsx";
import { Link } from "../../routing/link.tsx";
import { OutcomeBadge, StatusBadge } from "./outcome-badge.tsx";
import { TraceFilters } from "./trace-filters.tsx";
import { useTraces } from "./use-traces.ts";

interface TracesPanelProps {
  readonly place: string;
  /** Undefined where the project can't be read: traces can be searched all the same. */
  readonly project: ContextProjectAnswer | undefined;
}

const ROW_PIXELS = 56;

/** The traces of a project, latest first, with the search of the command line. */
export function TracesPanel({ place, project }: TracesPanelProps): ReactNode {
  const [search, setSearch] = useState<ContextTraceSearch>({});
  const traces = useTraces(place, search);
  const isFiltered = Object.values(search).some((value) => value !== "");
  return (
    <section className="panel" aria-label="Traces">
      <TraceFilters project={project} search={search} onSearch={setSearch} onReload={traces.reload} />
      {traces.fault === undefined ? null : <ErrorState fault={traces.fault} onRetry={traces.reload} />}
      {traces.rows === undefined && traces.fault === undefined ? <Loading rows={8} /> : null}
      {traces.rows?.length === 0 ? <NoTraces isFiltered={isFiltered} /> : null}
      {traces.rows === undefined || traces.rows.length === 0 ? null : (
        <>
          <p className="faint" role="status">
            {traces.rows.length} {traces.rows.length === 1 ? "turn" : "turns"}
            {traces.hasMore ? ", more as you scroll" : ""}
          </p>
          <VirtualList
            label="Traces"
            rows={traces.rows}
            total={traces.rows.length + (traces.hasMore ? 1 : 0)}
            keyOf={({ trace_id }) => trace_id}
            rowHeight={ROW_PIXELS}
            onEnd={traces.loadMore}
          >
            {(trace) => <TraceRow trace={trace} />}
          </VirtualList>
        </>
      )}
    </section>
  );
}

function TraceRow({ trace }: { readonly trace: ContextTraceRow }): ReactNode {
  const { trace_id: traceId, at, objective, consumer, profile, outcome, duration_ms: durationMs, providers } = trace;
  const failed = providers.filter(({ status }) => status !== "OK");
  return (
    <div className="trace-row">
      <OutcomeBadge outcome={outcome} />
      <div>
        <Link to={{ screen: "trace", traceId }}>
          {objective} for {consumer}
        </Link>
        <div className="faint">
          <Time at={at} /> · {durationMs} ms · profile {profile} · <code>{traceId}</code>
        </div>
      </div>
      <div className="trace-row-providers">
        {failed.length === 0 ? (
          <span className="faint">{providers.length === 0 ? "nobody asked" : "everyone asked answered"}</span>
        ) : (
          failed.map(({ provider, status }) => (
            <span key={provider}>
              <code>{provider}</code> <StatusBadge status={status} />
            </span>
          ))
        )}
      </div>
    </div>
  );
}

function NoTraces({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  return isFiltered ? (
    <EmptyState title="No trace fits">Take a filter away, or look further back.</EmptyState>
  ) : (
    <EmptyState title="No turn was traced yet">A context turn is traced when it is given a trace store.</EmptyState>
  );
}
