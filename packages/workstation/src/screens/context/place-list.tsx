import type { ReactNode } from "react";
import type { ContextPlaceRow, ContextPlacesAnswer } from "../../contract/context.ts";
import { Badge } from "../../components/badge.tsx";
import { Table, type Column } from "../../components/table.tsx";
import { Link } from "../../routing/link.tsx";

/** The known context projects, and those that could not be looked at. */
export function PlaceList({ answer }: { readonly answer: ContextPlacesAnswer }): ReactNode {
  const { places, unread } = answer;
  return (
    <>
      <Table label="Context projects" columns={COLUMNS} rows={places} keyOf={({ place }) => place} />
      {unread.map(({ label, code }) => (
        <p key={label} className="faint">
          Attachments of {label} are not shown: {code}.
        </p>
      ))}
    </>
  );
}

const COLUMNS: readonly Column<ContextPlaceRow>[] = [
  {
    title: "Project",
    cell: ({ place, label, version }) => (
      <>
        <Link to={{ screen: "context", place }}>{label}</Link> <span className="faint">{version}</span>
      </>
    ),
  },
  { title: "State", cell: ({ fault }) => (fault === null ? "Readable" : <Badge tone="bad">{fault.code}</Badge>) },
  { title: "Binding", cell: ({ has_binding }) => (has_binding ? "known" : "none") },
  { title: "Traces", cell: ({ keeps_traces }) => (keeps_traces ? "kept" : "not kept") },
  {
    title: "Used by",
    cell: ({ attached_to, named_at_start }) => (
      <>
        {named_at_start ? "named at start " : ""}
        {attached_to.map(({ goal_id, profile }) => (
          <div key={`${goal_id} ${profile}`}>
            <Link to={{ screen: "goal", goalId: goal_id }}>{goal_id}</Link> <span className="faint">{profile}</span>
          </div>
        ))}
      </>
    ),
  },
];
