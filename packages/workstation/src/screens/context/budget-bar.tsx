import type { ReactNode } from "react";

interface BudgetBarProps {
  readonly budget: { readonly bytes: number; readonly used: number };
  /** Bytes that each layer takes, in the order of the text. */
  readonly layers: readonly { readonly layer: string; readonly bytes: number }[];
}

/** How much of the profile's budget the text takes, and which layer takes it. */
export function BudgetBar({ budget, layers }: BudgetBarProps): ReactNode {
  const { bytes, used } = budget;
  const taking = layers.filter((layer) => layer.bytes > 0);
  const rest = used - taking.reduce((sum, layer) => sum + layer.bytes, 0);
  return (
    <figure className="budget">
      <figcaption>
        {used.toLocaleString("en")} of {bytes.toLocaleString("en")} bytes
        <span className="faint"> · {Math.round((used / Math.max(bytes, 1)) * 100)} % of the budget</span>
      </figcaption>
      <div className="budget-track" aria-hidden="true">
        {[...taking, { layer: "notices", bytes: Math.max(rest, 0) }].map(({ layer, bytes: share }, index) => (
          <span
            key={layer}
            className={`budget-part budget-part-${index % PART_COLOURS}`}
            style={{ width: `${(share / Math.max(bytes, 1)) * 100}%` }}
            title={`${layer}: ${share} bytes`}
          />
        ))}
      </div>
    </figure>
  );
}

const PART_COLOURS = 4;
