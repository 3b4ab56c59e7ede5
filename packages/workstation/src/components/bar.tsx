import type { ReactNode } from "react";

interface BarProps {
  readonly value: number;
  readonly most: number;
  /** What is measured, for those who do not see the bar. */
  readonly label: string;
}

/** How much of something is used. */
export function Bar({ value, most, label }: BarProps): ReactNode {
  const isOver = value > most;
  return (
    <meter className={isOver ? "bar bar-over" : "bar"} min={0} max={Math.max(most, 1)} value={value} aria-label={label}>
      {`${value} of ${most}`}
    </meter>
  );
}
