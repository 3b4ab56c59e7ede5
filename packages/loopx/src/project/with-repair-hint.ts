import { isLoopxError, LoopxError, quoteForShell } from "@loopx/contracts";

/** Lets `open` open a store; when that one is damaged, the error names the command or step that mends this very store. */
export async function withRepairHint<Result>(hint: string, open: () => Promise<Result>): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    if (!isLoopxError(error) || error.code !== "store_corrupt") throw error;
    const { message, details } = error;
    throw new LoopxError("store_corrupt", {
      message,
      hint,
      ...(details === undefined ? {} : { details }),
      cause: error,
    });
  }
}

/** The same error with its repair command for the folder that the caller named with `--project`. */
export function toErrorFor(error: LoopxError, project: string | undefined): LoopxError {
  const { message, hint, details } = error;
  if (project === undefined || hint === undefined || !/^loopx (connect|restore|bootstrap)(?= |$)/.test(hint))
    return error;
  return new LoopxError(error.code, {
    message,
    hint: `${hint} ${quoteForShell(`--project=${project}`)}`,
    ...(details === undefined ? {} : { details }),
    cause: error,
  });
}
