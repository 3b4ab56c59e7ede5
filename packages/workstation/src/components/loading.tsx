import type { ReactNode } from "react";

/** Keeps the place of rows that are on their way, so that nothing jumps when they come. */
export function Loading({ rows = 6 }: { readonly rows?: number }): ReactNode {
  return (
    <div className="loading" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="loading-row" />
      ))}
    </div>
  );
}
