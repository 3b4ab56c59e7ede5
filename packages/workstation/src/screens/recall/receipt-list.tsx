import type { ReactNode } from "react";
import type { RecallReceiptRow, RecallReceiptsAnswer } from "../../contract/recall.ts";
import { Badge } from "../../components/badge.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Time } from "../../components/time.tsx";
import { Link } from "../../routing/link.tsx";

/** What became of recalls: who was asked, why nothing came, and of what came summary and score. */
export function ReceiptList({
  answer: { receipts, has_more: hasMore, unread },
}: {
  readonly answer: RecallReceiptsAnswer;
}): ReactNode {
  return (
    <>
      {receipts.length === 0 ? (
        <EmptyState title="No receipt is kept">
          A receipt is kept when a decision is prepared for review with a recall beside it. A recall that an agent makes
          for itself leaves none.
        </EmptyState>
      ) : (
        <ul className="verdicts">
          {receipts.map((receipt) => (
            <Receipt
              key={`${receipt.goal_id} ${receipt.decision_id} ${receipt.observed_at} ${receipt.provider}`}
              receipt={receipt}
            />
          ))}
        </ul>
      )}
      {hasMore ? <p className="faint">Earlier receipts are not shown.</p> : null}
      {unread.map(({ label, code }) => (
        <p key={label} className="faint">
          Receipts of {label} are not shown: {code}.
        </p>
      ))}
    </>
  );
}

function Receipt({ receipt }: { readonly receipt: RecallReceiptRow }): ReactNode {
  const { goal_id: goalId, decision_id: decisionId, provider, provider_version: version, status, results } = receipt;
  return (
    <li>
      <div className="line">
        <Badge tone={status === "completed" ? "good" : "warn"}>{status}</Badge> <span>{receipt.query_summary}</span>
      </div>
      <div className="faint">
        <Time at={receipt.observed_at} /> · <code>{provider}</code> {version} · {receipt.result_count} of at most{" "}
        {receipt.requested_limit} · {receipt.latency_ms} ms · <Link to={{ screen: "goal", goalId }}>{goalId}</Link>{" "}
        decision <code>{decisionId}</code>
      </div>
      {receipt.reason_code === null ? null : (
        <p>
          Why: <code>{receipt.reason_code}</code>
        </p>
      )}
      {results.length === 0 ? null : (
        <ol className="scores">
          {results.map(({ provider_ref: reference, summary, score }) => (
            <li key={reference}>
              <span className="figure">{score.toPrecision(3)}</span> {summary}
            </li>
          ))}
        </ol>
      )}
    </li>
  );
}
