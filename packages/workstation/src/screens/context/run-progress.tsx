import type { ReactNode } from "react";
import { Bar } from "../../components/bar.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import type { Run } from "./use-run.ts";

/** How far a run is, with a way to end it; or why nothing came of it. */
export function RunProgress({ run }: { readonly run: Run<unknown> }): ReactNode {
  const { isRunning, progress, fault, stop } = run;
  if (fault !== undefined) return <ErrorState fault={fault} />;
  if (!isRunning) return null;
  const { done, total } = progress ?? { done: 0, total: 0 };
  return (
    <div className="run-progress" role="status">
      <Bar value={done} most={total} label="Tests that have run" />
      <span>{total === 0 ? "Beginning…" : `${done} of ${total}`}</span>
      <button type="button" onClick={stop}>
        Stop
      </button>
    </div>
  );
}
