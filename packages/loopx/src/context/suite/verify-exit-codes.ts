import { ERROR_TABLE } from "@loopx/contracts";

/**
 * Exit codes of what verifies. Not verified is one of its own, so that CI can tell it from a failure: that of something
 * which wasn't found, a fixture. (2 is usage here.)
 */
export const VERIFY_EXIT_CODES = {
  PASSED: 0,
  FAILED: ERROR_TABLE.validation_failed.exit,
  NOT_VERIFIED: ERROR_TABLE.unknown_trace.exit,
} as const;
