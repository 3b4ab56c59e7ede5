import type { ReactNode } from "react";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import type { EventRow } from "../../contract/goal.ts";
import { Link } from "../../routing/link.tsx";
import { sayActor } from "../say-actor.ts";

interface EventTableProps {
  readonly goalId: string;
  readonly events: readonly EventRow[];
}

/** Events, newest first. */
export function EventTable({ goalId, events }: EventTableProps): ReactNode {
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
        { title: "On", cell: (event) => <EventSubject goalId={goalId} event={event} /> },
      ]}
    />
  );
}

/** What an event is about. */
export function EventSubject({ goalId, event }: { readonly goalId: string; readonly event: EventRow }): ReactNode {
  const text = event.title ?? event.entity_id;
  if (event.entity !== "todo") return <span className="clamp">{text}</span>;
  return (
    <Link to={{ screen: "todo", goalId, todoId: event.entity_id }} className="clamp">
      {text}
    </Link>
  );
}
