import type { ReactNode } from "react";
import type { ShownProvenance, ShownTrace } from "../../contract/context-traces.ts";
import { StatusBadge } from "./outcome-badge.tsx";

/** Of each provider what the trace says: names, keyed digests and times, never a value. */
export function ProvenanceList({ trace }: { readonly trace: ShownTrace }): ReactNode {
  if (trace.providers.length === 0)
    return <p className="faint">From the project alone: no provider had a part in it.</p>;
  return (
    <div className="provenances">
      {trace.providers.map((from) => (
        <article key={from.provider} className="provenance">
          <h3>
            <code>{from.provider}</code> <StatusBadge status={from.status} />
          </h3>
          <dl className="facts">
            {toFacts(from).map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </article>
      ))}
    </div>
  );
}

function toFacts(from: ShownProvenance): readonly (readonly [string, ReactNode])[] {
  const { reason, pointer, version, versionSource, itemLocators } = from;
  const facts: readonly (readonly [string, ReactNode])[] = [
    ["why", [reason, pointer].filter((part) => part !== null && part !== undefined && part !== "").join(" at ")],
    ["asked by", from.key],
    ["kind", from.providerType],
    ["answered", from.observedAt === null ? "not" : `${from.observedAt}, after ${from.durationMs} ms`],
    ["attempts", from.attempts > 1 ? from.attempts : null],
    ["version", version === null ? null : `${version} (${versionSource ?? ""})`],
    ["revision", from.revision],
    ["currentness", from.currentness],
    ["items", itemLocators.length === 0 ? null : <code key="items">{itemLocators.join(" ")}</code>],
    ["request", <code key="request">{from.requestDigest ?? "withheld"}</code>],
    ["material", from.materialDigest === null ? null : <code key="material">{from.materialDigest}</code>],
    ["binding", from.bindingRevision],
    ["kept", sayKept(from)],
  ];
  return facts.filter(([, value]) => value !== null && value !== "");
}

function sayKept({ contentRetained, contentPurgedAt, materialDigest }: ShownProvenance): string {
  if (contentRetained) return "content, encrypted, and digests";
  if (contentPurgedAt !== undefined) return `digests; the content was purged at ${contentPurgedAt}`;
  return materialDigest === null ? "nothing" : "digests";
}
