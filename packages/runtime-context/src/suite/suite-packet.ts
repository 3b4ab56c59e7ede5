import { cutText } from "@loopx/contracts";
import { toPointer } from "../project/document/finding.ts";
import type { TestVerdict } from "./judge-test.ts";
import type { SuiteReport } from "./run-suite.ts";

/** Of a text: enough to see what is wrong in it. */
const MOST_CHARACTERS = 4096;

/** What a report file holds of one test, snake_case. What holds of none is left out. */
export function toShownVerdict(verdict: TestVerdict): object {
  const { test, name, status, failures, warnings, outcome, rendered, digest } = verdict;
  return {
    test,
    ...(name === null ? {} : { name }),
    status,
    ...(outcome === null ? {} : { outcome }),
    ...(failures.length === 0
      ? {}
      : { failures: failures.map(({ path, expected, got }) => ({ at: toPointer(path), expected, got })) }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(digest === null ? {} : { digest }),
    ...(rendered === null ? {} : { rendered: cutText(rendered, MOST_CHARACTERS).text }),
  };
}

/** Counts under the names of a packet. */
export function toShownCounts({ counts, tests }: SuiteReport): object {
  return { total: tests.length, passed: counts.PASSED, failed: counts.FAILED, unknown: counts.UNKNOWN };
}
