import { TestRunner } from "vitest";
import type { RequirementId } from "../contract/requirements.ts";

declare module "vitest" {
  interface TaskMeta {
    /** The requirements that the test would turn red for. */
    verifies?: readonly string[];
  }
}

/**
 * Says which requirements of the seeds a test would turn red for. The pin in `test/contract/requirements.test.ts` reads the
 * citations from the test files; the conformance report takes from a run which of them passed.
 */
export function verifies(...requirements: readonly RequirementId[]): void {
  const test = TestRunner.getCurrentTest();
  if (test === undefined) throw new Error("verifies() is called in the body of a test");
  test.meta.verifies = [...(test.meta.verifies ?? []), ...requirements];
}
