import type { CommandInput } from "../commands/command-handler.ts";
import type { CommandName } from "../command-table/command-table.ts";

/** A run that is over sooner needs no notes. */
const EVERY_MS = 250;

/** Notes how far a long run has come: at a terminal, and a few times a second at most. Silent elsewhere. */
export function noteProgress(
  { facts, note }: Pick<CommandInput<CommandName>, "facts" | "note">,
  noun: string,
): (doneCount: number, totalCount: number) => void {
  if (!facts.isStderrTerminal) return () => undefined;
  let lastMs = performance.now();
  return (doneCount, totalCount) => {
    const nowMs = performance.now();
    if (nowMs - lastMs < EVERY_MS || doneCount === totalCount) return;
    lastMs = nowMs;
    note(`${doneCount} of ${totalCount} ${noun} …`);
  };
}
