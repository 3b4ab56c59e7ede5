import { isLoopxError } from "../src/loopx-error.ts";

/** The code a call is refused with, or the value it returned. */
export function refusalOf(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    if (!isLoopxError(error)) throw error;
    return error.code;
  }
}
