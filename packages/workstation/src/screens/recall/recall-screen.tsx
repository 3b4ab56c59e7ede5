import type { ReactNode } from "react";
import type { RecallProviderRow, RecallProvidersAnswer, RecallReceiptsAnswer } from "../../contract/recall.ts";
import { Badge } from "../../components/badge.tsx";
import { Code } from "../../components/code.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ResourceView } from "../../components/resource-view.tsx";
import { Table, type Column } from "../../components/table.tsx";
import { useResource } from "../../http/use-resource.ts";
import { ReceiptList } from "./receipt-list.tsx";

/** The advisory providers, whether they are ready, and what they were asked; never what they answered. */
export function RecallScreen(): ReactNode {
  const providers = useResource<RecallProvidersAnswer>("/api/recall/providers", ["recall", "overview"]);
  const receipts = useResource<RecallReceiptsAnswer>("/api/recall/receipts", ["recall", "overview"]);
  return (
    <>
      <h1>Recall</h1>
      <p className="faint">
        Advice from past sessions, for the agent that asks. What was recalled goes to that agent alone and is kept
        nowhere; this page shows who can be asked and the receipts that prepared reviews keep.
      </p>
      <section className="panel" aria-labelledby="recall-providers">
        <h2 id="recall-providers">Providers</h2>
        <ResourceView resource={providers} rows={2}>
          {(answer) => <Providers answer={answer} />}
        </ResourceView>
      </section>
      <section className="panel" aria-labelledby="recall-receipts">
        <h2 id="recall-receipts">Receipts</h2>
        <ResourceView resource={receipts} rows={4}>
          {(answer) => <ReceiptList answer={answer} />}
        </ResourceView>
      </section>
    </>
  );
}

function Providers({ answer: { providers, next } }: { readonly answer: RecallProvidersAnswer }): ReactNode {
  if (providers.length > 0) {
    return <Table label="Advisory providers" columns={COLUMNS} rows={providers} keyOf={({ extension_id: id }) => id} />;
  }
  return (
    <EmptyState title="No provider is installed">
      <p>
        Recall works without one and answers that nobody could be asked. To install the session history of this machine:
      </p>
      {next.map((command) => (
        <Code key={command} text={command} />
      ))}
    </EmptyState>
  );
}

const COLUMNS: readonly Column<RecallProviderRow>[] = [
  {
    title: "Provider",
    cell: ({ extension_id: id, version }) => (
      <>
        <code>{id}</code> <span className="faint">{version}</span>
      </>
    ),
  },
  {
    title: "Readiness",
    cell: ({ status }) => (
      <Badge tone={status === "ready" ? "good" : "warn"}>{status === "ready" ? "ready" : sayStatus(status)}</Badge>
    ),
  },
  { title: "Enabled", cell: ({ enabled }) => (enabled ? "yes" : "no") },
  { title: "Verified", cell: ({ doctor_verified: isVerified }) => (isVerified ? "yes" : "no") },
  {
    title: "Next",
    cell: ({ command }) => (command === null ? <span className="faint">nothing to do</span> : <Code text={command} />),
  },
];

function sayStatus(status: string): string {
  return status.replace(/^extension_/, "").replaceAll("_", " ");
}
