import type { ReactNode } from "react";
import { Badge } from "../../components/badge.tsx";
import { Time } from "../../components/time.tsx";
import type { GateRow } from "../../contract/goal.ts";
import { Link } from "../../routing/link.tsx";
import { useMayDecide } from "../../session-context.ts";
import { sayActor } from "../say-actor.ts";
import { sayKind } from "../say-kind.ts";
import { useDecideGate } from "./gate-decisions.tsx";

interface GateCardProps {
  readonly goalId: string;
  readonly gate: GateRow;
  /** The event up to which it is shown. */
  readonly seq: number;
  /** The question stands above it already. */
  readonly isTitled?: true;
}

const VERDICTS = [
  ["approve", "Approve…", "approved"],
  ["reject", "Reject…", "rejected"],
  ["defer", "Defer…", undefined],
] as const;

/** A question, what it holds, and the three answers. */
export function GateCard({ goalId, gate, seq, isTitled }: GateCardProps): ReactNode {
  const mayDecide = useMayDecide();
  const decide = useDecideGate();
  return (
    <article className={gate.decision === null ? "card card-warn" : "card"} aria-label={`Gate: ${gate.question}`}>
      <p className="faint">
        <Badge tone={gate.decision === null ? "warn" : "neutral"}>{sayKind(gate.kind)}</Badge> {gate.priority} · asked
        by {sayActor(gate.created_by)}, <Time at={gate.created_at} />
        {isTitled ? null : (
          <>
            {" "}
            · <Link to={{ screen: "todo", goalId, todoId: gate.gate_id }}>{gate.gate_id}</Link>
          </>
        )}
      </p>
      {isTitled ? null : <p className="question">{gate.question}</p>}
      {gate.proposed_objective === null ? null : (
        <div className="proposed">
          <h3>Proposed objective</h3>
          <p className="text">{gate.proposed_objective}</p>
        </div>
      )}
      <Blocks goalId={goalId} gate={gate} />
      {gate.decision === null ? null : (
        <p>
          <strong>{gate.decision}</strong>
          {gate.decided_by === null ? "" : ` by ${sayActor(gate.decided_by)}`}
          {gate.decided_at === null ? null : (
            <>
              , <Time at={gate.decided_at} />
            </>
          )}
          {gate.reason === null ? "" : `: ${gate.reason}`}
          {gate.ask_again_at === null ? null : (
            <>
              {" "}
              · asks again <Time at={gate.ask_again_at} />
            </>
          )}
        </p>
      )}
      <div className="actions">
        {VERDICTS.filter(([, , decided]) => decided !== gate.decision).map(([verdict, title]) => (
          <button
            key={verdict}
            type="button"
            className={verdict === "approve" && gate.decision === null ? "button-main" : undefined}
            disabled={!mayDecide}
            onClick={() => decide({ gate, verdict, seq })}
          >
            {title}
          </button>
        ))}
        {mayDecide ? null : <span className="faint">Only an owner decides; see the note at the top.</span>}
      </div>
    </article>
  );
}

function Blocks({ goalId, gate }: Pick<GateCardProps, "goalId" | "gate">): ReactNode {
  if (gate.blocks.length === 0) return <p className="faint">It holds nothing.</p>;
  const rest = gate.block_count - gate.blocks.length;
  return (
    <div>
      <p className="faint">It holds</p>
      <ul className="blocks">
        {gate.blocks.map(({ target, title }) => (
          <li key={target}>
            {target.startsWith("todo_") ? (
              <Link to={{ screen: "todo", goalId, todoId: target }}>{title ?? target}</Link>
            ) : target === "goal" ? (
              "the whole goal"
            ) : (
              target.replace(/^agent:/, "everything of agent ")
            )}
          </li>
        ))}
        {rest > 0 ? <li className="faint">and {rest} more</li> : null}
      </ul>
    </div>
  );
}
