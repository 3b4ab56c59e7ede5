import type { ReactNode } from "react";
import type { ContextTraceAnswer, ShownTrace, ShownTraceLayer } from "../../contract/context-traces.ts";
import { ResourceView } from "../../components/resource-view.tsx";
import { Table, type Column } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useResource } from "../../http/use-resource.ts";
import { Link } from "../../routing/link.tsx";
import { BudgetBar } from "./budget-bar.tsx";
import { OutcomeReadingView } from "./outcome-reading.tsx";
import { OutcomeBadge, StateBadge, StatusBadge } from "./outcome-badge.tsx";
import { ProvenanceList } from "./provenance-list.tsx";
import { ReproducePanel } from "./reproduce-panel.tsx";
import { TraceWaterfall } from "./trace-waterfall.tsx";

/** One context turn: why it came out as it did, where each fact came from, and whether it can be had again. */
export function TraceScreen({ traceId }: { readonly traceId: string }): ReactNode {
  const trace = useResource<ContextTraceAnswer>(`/api/context/traces/${encodeURIComponent(traceId)}`);
  return (
    <ResourceView resource={trace} rows={12}>
      {(answer) => <TraceView answer={answer} />}
    </ResourceView>
  );
}

function TraceView({ answer: { place, reading, trace } }: { readonly answer: ContextTraceAnswer }): ReactNode {
  return (
    <>
      <header className="stack">
        <p>
          <Link to={{ screen: "context", place, view: "traces" }}>Traces of {trace.project.id}</Link>
        </p>
        <h1>
          <OutcomeBadge outcome={trace.outcome} /> {trace.objective} for {trace.consumer}
        </h1>
        <p className="faint">
          <Time at={trace.at} /> · {trace.durationMs} ms · profile {trace.profile} · <code>{trace.id}</code>
        </p>
      </header>
      <OutcomeReadingView reading={reading} outcome={trace.outcome} />
      <section className="panel" aria-labelledby="trace-layers">
        <h2 id="trace-layers">Layers</h2>
        <BudgetBar budget={trace.budget} layers={trace.layers} />
        <Table label="Layers" columns={listColumns(trace)} rows={trace.layers} keyOf={({ layer }) => layer} />
      </section>
      <section className="panel" aria-labelledby="trace-times">
        <h2 id="trace-times">Where the time went</h2>
        <TraceWaterfall trace={trace} />
      </section>
      <section className="panel" aria-labelledby="trace-provenance">
        <h2 id="trace-provenance">Where the facts came from</h2>
        <ProvenanceList trace={trace} />
      </section>
      <ReproducePanel place={place} trace={trace} />
    </>
  );
}

function listColumns({ selection }: ShownTrace): readonly Column<ShownTraceLayer>[] {
  return [
    {
      title: "Layer",
      cell: ({ layer, rule, priority }) => (
        <>
          <code>{layer}</code>{" "}
          <span className="faint">
            {rule}, priority {priority}
          </span>
        </>
      ),
    },
    { title: "State", cell: ({ state }) => <StateBadge state={state} /> },
    { title: "In the text", cell: (layer) => saySelected(layer, selection) },
    {
      title: "Provider",
      cell: ({ provider, providerStatus, currentness }) =>
        provider === null ? null : (
          <>
            <code>{provider}</code> {providerStatus === null ? null : <StatusBadge status={providerStatus} />}{" "}
            <span className="faint">{currentness}</span>
          </>
        ),
    },
    { title: "Bytes", isFigure: true, cell: ({ bytes }) => bytes.toLocaleString("en") },
  ];
}

const NOT_SELECTED: Readonly<Record<string, string>> = {
  BUDGET: "no: it does not fit the budget",
  NOT_AVAILABLE: "no: nothing to show",
  TURN_BLOCKED: "no: the turn was blocked",
};

function saySelected(layer: ShownTraceLayer, selection: ShownTrace["selection"]): ReactNode {
  const pieces = selection.filter((piece) => piece.layer === layer.layer && piece.isSelected).length;
  if (layer.isSelected) return `yes: ${pieces} ${pieces === 1 ? "piece" : "pieces"}`;
  const because = layer.notSelectedBecause ?? "";
  return (
    <>
      {layer.state === "NOT_REQUESTED" ? "not asked for" : (NOT_SELECTED[because] ?? because)}{" "}
      <span className="faint">{layer.reason}</span>
    </>
  );
}
