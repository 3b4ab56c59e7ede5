import type { ReactNode } from "react";
import type { ContextPreviewAnswer, ContextTurnLayer } from "../../contract/context.ts";
import { Badge } from "../../components/badge.tsx";
import { Table, type Column } from "../../components/table.tsx";
import { BudgetBar } from "./budget-bar.tsx";
import { OutcomeBadge, StateBadge, StatusBadge } from "./outcome-badge.tsx";
import { RenderedText } from "./rendered-text.tsx";

/** What a preview came to: outcome, layers, where answers come from, and the text. */
export function PreviewResult({ preview }: { readonly preview: ContextPreviewAnswer }): ReactNode {
  const {
    outcome,
    profile,
    layers,
    sources,
    unknowns,
    blocked_by: blockedBy = [],
    ignored_inputs: ignored = [],
  } = preview;
  return (
    <div className="stack" aria-live="polite">
      <p>
        <OutcomeBadge outcome={outcome} /> <span className="faint">profile {profile}</span>
      </p>
      <ul className="reasons">
        {[...blockedBy, ...unknowns].map(({ layer, says }, index) => (
          <li key={`${layer} ${index}`}>{says}</li>
        ))}
        {ignored.map(({ input, says }) => (
          <li key={input}>{says}</li>
        ))}
      </ul>
      <BudgetBar budget={preview.budget} layers={layers} />
      <Table label="Layers of the preview" columns={COLUMNS} rows={layers} keyOf={({ layer }) => layer} />
      <ul className="sources">
        {sources.map(({ provider, source, tests, warning }) => (
          <li key={provider}>
            {source === null ? <Badge tone="warn">{warning?.code}</Badge> : <Badge>{source}</Badge>}{" "}
            <code>{provider}</code>{" "}
            <span className="faint">{warning?.says ?? `as in the test ${tests.join(", ")}`}</span>
          </li>
        ))}
      </ul>
      <h2>The text for the agent</h2>
      {preview.sanitized === 0 ? null : (
        <p className="faint">{preview.sanitized} characters that show nothing or act on a reader were neutralised.</p>
      )}
      <RenderedText segments={preview.segments} />
    </div>
  );
}

const COLUMNS: readonly Column<ContextTurnLayer>[] = [
  {
    title: "Layer",
    cell: ({ layer, rule }) => (
      <>
        <code>{layer}</code> <span className="faint">{rule}</span>
      </>
    ),
  },
  { title: "State", cell: ({ state }) => <StateBadge state={state} /> },
  { title: "Why", cell: (layer) => sayWhy(layer) },
  {
    title: "Provider",
    cell: ({ provider, provider_status: status }) =>
      provider === undefined ? null : (
        <>
          <code>{provider}</code> {status === undefined ? null : <StatusBadge status={status} />}
        </>
      ),
  },
  { title: "Bytes", isFigure: true, cell: ({ bytes }) => bytes.toLocaleString("en") },
];

function sayWhy({ selected, reason, not_selected_because: because }: ContextTurnLayer): string {
  return [reason, selected ? undefined : because].filter((word) => word !== undefined).join(", ");
}
