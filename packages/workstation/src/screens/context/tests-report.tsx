import type { ReactNode } from "react";
import type { ContextTestsReport, ContextTestVerdict } from "../../contract/context-runs.ts";
import { Badge, type Tone } from "../../components/badge.tsx";
import { FailureList } from "./failure-list.tsx";

const TONES: Readonly<Record<ContextTestVerdict["status"], Tone>> = { PASSED: "good", FAILED: "bad", UNKNOWN: "warn" };
const VERDICTS: Readonly<Record<ContextTestsReport["verdict"], Tone>> = {
  PASSED: "good",
  FAILED: "bad",
  NOT_VERIFIED: "warn",
};

/** What came of a test run: what failed first, with both sides. */
export function TestsReport({ report }: { readonly report: ContextTestsReport }): ReactNode {
  const { verdict, counts, tests } = report;
  const rest = counts.total - tests.length;
  return (
    <div className="stack" aria-live="polite">
      <p>
        <Badge tone={VERDICTS[verdict]}>{verdict}</Badge> {counts.passed} passed, {counts.failed} failed,{" "}
        {counts.unknown} unknown
      </p>
      <ul className="verdicts">
        {tests.map((one) => (
          <Verdict key={one.test} verdict={one} />
        ))}
      </ul>
      {rest > 0 ? (
        <p className="faint">… and {rest} more: loopx context test --report=json=FILE holds all of them.</p>
      ) : null}
    </div>
  );
}

function Verdict({ verdict }: { readonly verdict: ContextTestVerdict }): ReactNode {
  const { test, name, status, outcome, failures = [], warnings = [], rendered } = verdict;
  return (
    <li>
      <div className="line">
        <Badge tone={TONES[status]}>{status}</Badge> <code>{test}</code> <span>{name}</span>
        <span className="faint">{outcome}</span>
      </div>
      <FailureList failures={failures} />
      {warnings.map(({ code, says }) => (
        <p key={says} className="faint">
          {code}: {says}
        </p>
      ))}
      {rendered === undefined ? null : (
        <details>
          <summary>The text that came</summary>
          <pre className="diff">{rendered}</pre>
        </details>
      )}
    </li>
  );
}
