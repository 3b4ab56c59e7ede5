import { findSensitive, isLoopxError, LoopxError, quoteForShell } from "@loopx/contracts";
import { toRootLabel } from "./project-roots.ts";

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

/** The same error for a project that the caller stands outside of: its repair, run where they stand, would change another. */
export function toErrorElsewhere(error: LoopxError, root: string): LoopxError {
  const { message, hint, details } = error;
  if (hint === undefined || !REPAIR.test(hint)) return error;
  return new LoopxError(error.code, {
    message,
    hint: `in the folder of ${toRootLabel(root)}: ${hint}`,
    ...(details === undefined ? {} : { details }),
    cause: error,
  });
}

const REPAIR = /^loopx (connect|restore|recover|bootstrap)(?= |$)/;

/** The same error with its repair command for the folder that the caller named with `--project`. */
export function toErrorFor(error: LoopxError, project: string | undefined): LoopxError {
  const { message, hint, details } = error;
  if (project === undefined || hint === undefined || !REPAIR.test(hint)) return error;
  return new LoopxError(error.code, {
    message,
    // An error holds no absolute path: one masked would be no command at all.
    hint:
      findSensitive(project).length > 0
        ? `in the project's folder: ${hint}`
        : `${hint} ${quoteForShell(`--project=${project}`)}`,
    ...(details === undefined ? {} : { details }),
    cause: error,
  });
}
