import { useEffect, useState, type ReactNode } from "react";
import { sayTimeFrom } from "./say-time-from.ts";

/** A moment as people say it, with the exact one behind it. */
export function Time({ at }: { readonly at: string }): ReactNode {
  const now = useNow(10_000);
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {sayTimeFrom(Date.parse(at), now)}
    </time>
  );
}

/** The clock of the page, in milliseconds, which ticks that often. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(ticking);
  }, [everyMs]);
  return now;
}
