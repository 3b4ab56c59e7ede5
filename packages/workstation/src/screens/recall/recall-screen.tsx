import type { ReactNode } from "react";
import { EmptyState } from "../../components/empty-state.tsx";

/** The advisory providers, whether they are ready, and what they were asked; never what they answered. */
export function RecallScreen(): ReactNode {
  return (
    <>
      <h1>Recall</h1>
      <EmptyState title="Nothing here yet" />
    </>
  );
}
