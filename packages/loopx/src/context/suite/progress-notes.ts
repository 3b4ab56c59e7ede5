import type { CommandInput } from "../../commands/command-handler.ts";
import type { CommandName } from "../../command-table/command-table.ts";

/** A run that is over sooner needs no notes, and a long one not many. */
const FIRST_MS = 100;
const EVERY_MS = 500;

/** Notes how far a long run has come: at a terminal, and twice a second at most. Silent elsewhere. */
export function noteProgress(
  { facts, note }: Pick<CommandInput<CommandName>, "facts" | "note">,
  noun: string,
): (doneCount: number, totalCount: number) => void {
  if (!facts.isStderrTerminal) return () => undefined;
  let dueMs = performance.now() + FIRST_MS;
  return (doneCount, totalCount) => {
    const nowMs = performance.now();
    if (nowMs < dueMs || doneCount === totalCount) return;
    dueMs = nowMs + EVERY_MS;
    note(`${doneCount} of ${totalCount} ${noun} …`);
  };
}
