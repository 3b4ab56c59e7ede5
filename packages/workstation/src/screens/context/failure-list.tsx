import type { ReactNode } from "react";
import type { TestFailureRow } from "../../contract/context-runs.ts";

/** Expectations that don't hold, each with what was expected above what came. */
export function FailureList({ failures }: { readonly failures: readonly TestFailureRow[] }): ReactNode {
  return failures.map(({ at, expected, got }) => (
    <div key={`${at} ${expected}`} className="failure">
      <code className="faint">{at}</code>
      <pre className="diff diff-expected">
        <span className="diff-sign">expected </span>
        {expected}
      </pre>
      <pre className="diff diff-got">
        <span className="diff-sign">got </span>
        {got}
      </pre>
    </div>
  ));
}
