import { isLoopxError, LoopxError } from "@loopx/contracts";

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
