import type { ReactNode } from "react";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import type { EventRow } from "../../contract/goal.ts";
import { sayActor } from "../say-actor.ts";

/** The events of one thing, newest first. */
export function EventTable({ events }: { readonly events: readonly EventRow[] }): ReactNode {
  return (
    <Table
      label="Events"
      rows={events}
      keyOf={(event) => String(event.seq)}
      columns={[
        { title: "#", cell: (event) => event.seq, isFigure: true },
        { title: "When", cell: (event) => <Time at={event.at} /> },
        { title: "What", cell: (event) => event.says },
        { title: "By", cell: (event) => sayActor(event.by) },
      ]}
    />
  );
}
