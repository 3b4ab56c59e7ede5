import type { ReactNode } from "react";
import { useNow } from "../../components/time.tsx";

/** How long a lease still lasts, counted down. */
export function Lease({ until }: { readonly until: string }): ReactNode {
  const leftMs = Date.parse(until) - useNow(1_000);
  if (leftMs <= 0) return <span className="ink-bad">lease ended</span>;
  return (
    <time dateTime={until} title={new Date(until).toLocaleString()} className="figures">
      {sayLeft(leftMs)} left
    </time>
  );
}

function sayLeft(leftMs: number): string {
  const seconds = Math.floor(leftMs / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  if (hours >= 1) return `${hours} h ${minutes} min`;
  return `${minutes}:${String(seconds % 60).padStart(2, "0")} min`;
}
