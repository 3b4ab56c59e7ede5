import type { ReactNode } from "react";
import type { ContextDescribeAnswer, ContextProjectAnswer, ContextProviderRow } from "../../contract/context.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Badge } from "../../components/badge.tsx";
import { Table, type Column } from "../../components/table.tsx";
import { postDocument } from "../../http/request.ts";
import { useAsked } from "../../http/use-asked.ts";
import { StatusBadge } from "./outcome-badge.tsx";

/** What the project needs of providers, and how each is once somebody asks. */
export function ProvidersPanel({ project }: { readonly project: ContextProjectAnswer }): ReactNode {
  const health = useAsked<ContextDescribeAnswer>();
  const { providers, place } = project;
  if (providers.length === 0) {
    return <EmptyState title="The project has no providers">Its layers are text and files alone.</EmptyState>;
  }
  const ask = (): void => health.ask(() => postDocument(`/api/context/places/${place.place}/providers/describe`, {}));
  return (
    <section className="panel" aria-label="Providers">
      <p>
        <button type="button" className="button-main" onClick={ask} disabled={health.isAsking || !place.has_binding}>
          {health.isAsking ? "Asking…" : "Ask providers how they are"}
        </button>{" "}
        <span className="faint">
          {place.has_binding
            ? "A click calls them, with the credentials of the binding. They are sent no data of a turn."
            : "No binding of this project is known, so nobody can be asked."}
        </span>
      </p>
      {health.fault === undefined ? null : <ErrorState fault={health.fault} />}
      <Table label="Providers" columns={listColumns(health.document)} rows={providers} keyOf={({ id }) => id} />
    </section>
  );
}

function listColumns(health: ContextDescribeAnswer | undefined): readonly Column<ContextProviderRow>[] {
  return [
    {
      title: "Provider",
      cell: ({ id, name }) => (
        <>
          {name} <code className="faint">{id}</code>
        </>
      ),
    },
    { title: "Health", cell: ({ id }) => <Health found={health?.providers.find(({ provider }) => provider === id)} /> },
    {
      title: "Asked by",
      cell: ({ input, pattern }) => (
        <>
          <code>{input}</code> <code className="faint">{pattern}</code>
        </>
      ),
    },
    { title: "Items", isFigure: true, cell: ({ max_items: items }) => items },
    { title: "Layers", cell: ({ layers }) => layers.join(", ") },
  ];
}

function Health({ found }: { readonly found: ContextDescribeAnswer["providers"][number] | undefined }): ReactNode {
  if (found === undefined) return <span className="faint">not asked</span>;
  const { ready, status, reason, pointer, type, version } = found;
  return (
    <>
      {ready ? <Badge tone="good">READY</Badge> : <StatusBadge status={status} />}{" "}
      <span className="faint">{[type, version, reason, pointer].filter(Boolean).join(" · ")}</span>
    </>
  );
}
