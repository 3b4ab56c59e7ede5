import type { ReactNode } from "react";
import type { ContextOutcome } from "../../contract/context.ts";
import type { OutcomeReading } from "../../contract/context-traces.ts";

interface OutcomeReadingProps {
  readonly reading: OutcomeReading;
  readonly outcome: ContextOutcome;
}

/** Why a turn came out as it did, before anything else of it. */
export function OutcomeReadingView({ reading, outcome }: OutcomeReadingProps): ReactNode {
  return (
    <section className={`reading reading-${outcome.toLowerCase()}`} aria-label="Why it came out so">
      <p>
        <strong>{reading.says}</strong>
      </p>
      {reading.because.map(({ layer, provider, word, says, next }) => (
        <div key={`${layer} ${word}`} className="reading-cause">
          <p>
            <code>{layer}</code>
            {provider === null ? null : (
              <>
                {" from "}
                <code>{provider}</code>
              </>
            )}
            : {says} <span className="faint">{word}</span>
          </p>
          {next === null ? null : <p className="faint">{next}</p>}
        </div>
      ))}
    </section>
  );
}
