import type { ReactNode } from "react";
import { EmptyState } from "../../components/empty-state.tsx";

/** The context projects that are shown, and their traces. */
export function ContextScreen(): ReactNode {
  return (
    <>
      <h1>Context</h1>
      <EmptyState title="Nothing here yet" />
    </>
  );
}
