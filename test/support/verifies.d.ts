import type { RequirementId } from "../contract/requirements.ts";
/**
 * Says which requirements of the seeds a test would turn red for. Does nothing when it runs: the pin in
 * `test/contract/requirements.test.ts` reads the citations from the test files.
 */
export declare function verifies(..._requirements: readonly RequirementId[]): void;
