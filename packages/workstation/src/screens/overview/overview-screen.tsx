import { useEffect, useState, type ReactNode } from "react";
import { Code } from "../../components/code.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ResourceView } from "../../components/resource-view.tsx";
import type { Overview } from "../../contract/overview.ts";
import { useResource } from "../../http/use-resource.ts";
import { sayCount } from "../say-count.ts";
import { AskList } from "./ask-list.tsx";
import { GoalList } from "./goal-list.tsx";
import { noteVisit, readLastVisit } from "./last-visit.ts";
import { SinceLastVisit } from "./since-last-visit.tsx";

/** Who needs the owner, what is running, what happened. */
export function OverviewScreen(): ReactNode {
  const [since] = useState(readLastVisit);
  useEffect(noteVisit, []);
  const overview = useResource<Overview>(`/api/overview?since=${encodeURIComponent(since)}`, ["overview"]);
  return (
    <>
      <h1>Overview</h1>
      <ResourceView resource={overview} rows={12}>
        {(document) => <Shown overview={document} />}
      </ResourceView>
    </>
  );
}

function Shown({ overview }: { readonly overview: Overview }): ReactNode {
  const { connect_command: connect, unread } = overview;
  if (connect !== null) {
    return (
      <EmptyState title="No project is connected yet">
        <p>Connect one and start a goal in its folder:</p>
        <Code text={connect} />
      </EmptyState>
    );
  }
  return (
    <>
      <p className="faint">
        {sayCount(overview.open_goal_count, "open goal")} in {sayCount(overview.project_count, "project")}
        {overview.closed_goal_count === 0 ? "" : `, ${sayCount(overview.closed_goal_count, "closed one")}`}
      </p>
      {unread.length === 0 ? null : (
        <div className="notice" role="note">
          <p>{sayCount(unread.length, "project")} could not be read, so the counts are lower bounds.</p>
          {unread.slice(0, 4).map((project) => (
            <p key={project.project_label}>
              {project.project_label}: {project.code.replaceAll("_", " ")} <Code text={project.command} />
            </p>
          ))}
        </div>
      )}
      <SinceLastVisit overview={overview} />
      <AskList first={overview.asks} count={overview.ask_count} />
      <GoalList first={overview.goals} lanes={overview.lanes} count={overview.open_goal_count} />
    </>
  );
}
