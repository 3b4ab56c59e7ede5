import type { ReactNode } from "react";

/** What a badge's colour says; its words say it too. */
export type Tone = "neutral" | "good" | "warn" | "bad" | "info";

/** A short word about the state of a thing. */
export function Badge({
  tone = "neutral",
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}): ReactNode {
  return <span className={`badge badge-${tone}`}>{children}</span>;
}
