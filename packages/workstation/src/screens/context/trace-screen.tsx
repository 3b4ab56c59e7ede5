import type { ReactNode } from "react";
import { EmptyState } from "../../components/empty-state.tsx";

/** One context turn: where each fact came from and why. */
export function TraceScreen({ traceId }: { readonly traceId: string }): ReactNode {
  return (
    <>
      <h1>{traceId}</h1>
      <EmptyState title="Nothing here yet" />
    </>
  );
}
