import type { ReactNode } from "react";
import { EmptyState } from "../../components/empty-state.tsx";

/** Who needs the owner, what is running, what happened. */
export function OverviewScreen(): ReactNode {
  return (
    <>
      <h1>Overview</h1>
      <EmptyState title="Nothing here yet" />
    </>
  );
}
