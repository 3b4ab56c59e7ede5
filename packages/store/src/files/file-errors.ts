import { LoopxError } from "@loopx/contracts";

/** The system's code of a failed file operation (`EACCES`, `ENOSPC`), or undefined when it is something else. */
export function findFileErrorCode(error: unknown): string | undefined {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}

/** Translates a failed write to a file that is called `label` in front of a user. Anything but a file error passes as it is. */
export function toFileError(error: unknown, label: string): unknown {
  const code = findFileErrorCode(error);
  if (!code) return error;
  if (code === "ENOSPC" || code === "EDQUOT") {
    return new LoopxError("store_full", {
      message: `no space is left to write ${label}; the write was undone`,
      hint: "free disk space, then run the command again",
      cause: error,
    });
  }
  return new LoopxError("file_not_writable", {
    message: `${label} cannot be written (${code})`,
    hint:
      code === "ENOENT" || code === "ENOTDIR"
        ? "make its folder first, or name another file, then run the command again"
        : "allow writing in its directory, then run the command again",
    details: { system_code: code },
    cause: error,
  });
}
