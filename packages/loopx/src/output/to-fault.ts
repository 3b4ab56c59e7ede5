import { isLoopxError, LoopxError } from "@loopx/contracts";

/** A failure as it may be shown, and what only `--verbose` shows. */
export interface Fault {
  readonly error: LoopxError;
  readonly diagnostics: string;
}

/**
 * What to tell the user about whatever was thrown: a `LoopxError` is told as it is, anything else is a fault of ours,
 * `internal`. Diagnostics hold the stack with file names, never with directories.
 */
export function toFault(thrown: unknown): Fault {
  if (isLoopxError(thrown)) {
    return { error: thrown, diagnostics: thrown.cause === undefined ? "" : describeStack(thrown.cause) };
  }
  const name = thrown instanceof Error ? thrown.name : typeof thrown;
  const error = new LoopxError("internal", {
    message: `LoopX met a fault of its own (${name})`,
    hint: "run the command again with --verbose and report what it prints",
    cause: thrown,
  });
  return { error, diagnostics: describeStack(thrown) };
}

function describeStack(thrown: unknown): string {
  const stack = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  return stack.replaceAll(/(?:file:\/\/)?(?:[A-Za-z]:)?[/\\](?:[^\s/\\():'"]+[/\\])*(?=[^\s/\\():'"]+)/g, "");
}
