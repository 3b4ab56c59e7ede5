import type { ReactNode } from "react";
import type { ContextReproductionAnswer, ShownTrace } from "../../contract/context-traces.ts";
import { Badge } from "../../components/badge.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Table, type Column } from "../../components/table.tsx";
import { postDocument } from "../../http/request.ts";
import { useAsked } from "../../http/use-asked.ts";

/** Carries the turn out again from what was kept, and says what came of it. */
export function ReproducePanel({ place, trace }: { readonly place: string; readonly trace: ShownTrace }): ReactNode {
  const again = useAsked<ContextReproductionAnswer>();
  const ask = (): void => again.ask(() => postDocument(`/api/context/traces/${trace.id}/reproduce`, { place }));
  return (
    <section className="panel" aria-labelledby="trace-reproduce">
      <h2 id="trace-reproduce">Can it be had again?</h2>
      <p>
        <button type="button" className="button-main" onClick={ask} disabled={again.isAsking}>
          {again.isAsking ? "Reproducing…" : "Reproduce"}
        </button>{" "}
        <span className="faint">Carries the turn out again from what was kept. No provider is asked.</span>
      </p>
      {again.fault === undefined ? null : <ErrorState fault={again.fault} />}
      <div aria-live="polite">{again.document === undefined ? null : <Result answer={again.document} />}</div>
    </section>
  );
}

function Result({ answer }: { readonly answer: ContextReproductionAnswer }): ReactNode {
  const { result, says, reason, provider, differences } = answer;
  switch (result) {
    case "EXACT":
      return (
        <p>
          <Badge tone="good">EXACT</Badge> The same bytes: the text, and every part of the trace that a turn decides.
        </p>
      );
    case "LIVE_DEPENDENCY_UNAVAILABLE":
      return (
        <p>
          <Badge tone="warn">{result}</Badge> {provider === undefined ? null : <code>{provider}</code>} {says}.{" "}
          <span className="faint">{reason}</span>
        </p>
      );
    case "DIVERGED":
      return (
        <>
          <p>
            <Badge tone="bad">DIVERGED</Badge> The same inputs gave something else.
          </p>
          <Table
            label="Differences"
            columns={DIFFERENCES}
            rows={differences ?? []}
            keyOf={({ part, layer }) => `${part} ${layer ?? ""}`}
          />
        </>
      );
  }
}

const DIFFERENCES: readonly Column<NonNullable<ContextReproductionAnswer["differences"]>[number]>[] = [
  { title: "Part", cell: ({ part, layer }) => `${part} ${layer ?? ""}` },
  { title: "Recorded", cell: ({ recorded }) => <code>{JSON.stringify(recorded)}</code> },
  { title: "Reproduced", cell: ({ reproduced }) => <code>{JSON.stringify(reproduced)}</code> },
];
