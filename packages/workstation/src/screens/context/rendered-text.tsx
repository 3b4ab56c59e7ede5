import type { ReactNode } from "react";
import type { ContextSegment } from "../../contract/context.ts";

/** The text for the agent, with what a provider said marked as such. */
export function RenderedText({ segments }: { readonly segments: readonly ContextSegment[] }): ReactNode {
  if (segments.length === 0) return <p className="faint">The text is empty: a blocked turn gives the agent nothing.</p>;
  return (
    <div className="rendered" aria-label="The text for the agent">
      {segments.map((segment, index) =>
        segment.kind === "text" ? (
          <pre key={index}>{segment.text.trim()}</pre>
        ) : (
          <figure key={index} className="fence">
            <figcaption>
              <strong>From outside, data only</strong>{" "}
              {segment.facts.map(([name, value]) => (
                <span key={name} className="faint">
                  {name} {value}{" "}
                </span>
              ))}
            </figcaption>
            <pre>{segment.text}</pre>
          </figure>
        ),
      )}
    </div>
  );
}
