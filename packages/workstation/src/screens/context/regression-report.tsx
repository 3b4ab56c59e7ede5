import type { ReactNode } from "react";
import type {
  ContextRegressionReport,
  ContextTestChange,
  FieldChangeRow,
  LineChanges,
} from "../../contract/context-runs.ts";
import { Badge, type Tone } from "../../components/badge.tsx";
import { FailureList } from "./failure-list.tsx";

const TONES: Readonly<Record<ContextTestChange["status"], Tone>> = {
  UNCHANGED: "neutral",
  CHANGED: "info",
  MENDED: "good",
  REGRESSED: "bad",
  UNKNOWN: "warn",
};
const VERDICTS: Readonly<Record<ContextRegressionReport["verdict"], Tone>> = {
  UNCHANGED: "good",
  CHANGED: "info",
  REGRESSED: "bad",
  NOT_VERIFIED: "warn",
};

/** What a candidate changes: of the builds themselves, then test by test and layer by layer, with the reason. */
export function RegressionReport({ report }: { readonly report: ContextRegressionReport }): ReactNode {
  const { verdict, counts, differences, tests } = report;
  return (
    <div className="stack" aria-live="polite">
      <p>
        <Badge tone={VERDICTS[verdict]}>{verdict}</Badge> {counts.regressed} regressed, {counts.changed} changed,{" "}
        {counts.mended} mended, {counts.unchanged} unchanged, {counts.unknown} unknown
      </p>
      <ul className="reasons">
        {differences.map((says) => (
          <li key={says}>{says}</li>
        ))}
      </ul>
      <ul className="verdicts">
        {tests.map((change) => (
          <Change key={change.test} change={change} />
        ))}
      </ul>
    </div>
  );
}

function Change({ change }: { readonly change: ContextTestChange }): ReactNode {
  const { test, name, status, turn = [], layers = [], unknowns, failures = [], warnings = [] } = change;
  return (
    <li>
      <div className="line">
        <Badge tone={TONES[status]}>{status}</Badge> <code>{test}</code> <span>{name}</span>
      </div>
      <FailureList failures={failures} />
      {turn.map((field) => (
        <p key={field.field}>{sayField(field)}</p>
      ))}
      {layers.map(({ layer, fields, text, because }) => (
        <div key={layer} className="failure">
          <p>
            <code>{layer}</code> {fields.map(sayField).join(", ")}
          </p>
          {because.map((says) => (
            <p key={says} className="faint">
              because {says}
            </p>
          ))}
          {text === undefined ? null : <Lines changes={text} />}
        </div>
      ))}
      {unknowns === undefined || unknowns === null ? null : <Lines changes={unknowns} />}
      {warnings.map(({ code, says }) => (
        <p key={says} className="faint">
          {code}: {says}
        </p>
      ))}
    </li>
  );
}

function sayField({ field, before, after }: FieldChangeRow): string {
  return `${field}: ${before ?? "nothing"} → ${after ?? "nothing"}`;
}

/** Lines that went and lines that came; a sign before each, for those who don't see colours. */
function Lines({ changes: { removed, added } }: { readonly changes: LineChanges }): ReactNode {
  return (
    <>
      {removed.length === 0 ? null : (
        <pre className="diff diff-got">{removed.map((line) => `− ${line}`).join("\n")}</pre>
      )}
      {added.length === 0 ? null : (
        <pre className="diff diff-expected">{added.map((line) => `+ ${line}`).join("\n")}</pre>
      )}
    </>
  );
}
