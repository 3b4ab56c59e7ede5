import { setImmediate } from "node:timers/promises";
import { LoopxError, renderDidYouMean } from "@loopx/contracts";
import type { ContextBuild } from "../build/context-build.ts";
import type { ContextProject, ContextTest } from "../project/context-project.ts";
import { quoteName } from "../project/document/finding.ts";
import { evaluateTest } from "./evaluate-test.ts";
import { judgeTest, type TestStatus, type TestVerdict } from "./judge-test.ts";

/** A test and its place in the project. */
export interface PlacedTest {
  readonly test: ContextTest;
  readonly index: number;
}

/** Told after every stretch of tests; the last call has `doneCount` equal to `totalCount`. */
export type OnProgress = (doneCount: number, totalCount: number) => void;

/** What came of a suite. */
export interface SuiteReport {
  /** FAILED before NOT_VERIFIED: a failure is known, whatever else isn't. A suite without tests verifies nothing. */
  readonly verdict: "PASSED" | "FAILED" | "NOT_VERIFIED";
  readonly counts: Readonly<Record<TestStatus, number>>;
  readonly tests: readonly TestVerdict[];
}

/** So many tests take some ten milliseconds; then signals and timers get their turn. */
export const TESTS_A_TURN = 64;

/**
 * The tests whose id or name contains one of the words; all of them without a word.
 *
 * Refuses with `invalid_value` words that choose nothing: no test run must not look like a run that passed.
 */
export function selectTests({ tests }: ContextProject, words: readonly string[]): readonly PlacedTest[] {
  const placed = tests.map((test, index) => ({ test, index }));
  if (words.length === 0) return placed;
  const chosen = placed.filter(({ test: { id, name } }) =>
    words.some((word) => id.includes(word) || name?.includes(word)),
  );
  if (chosen.length > 0) return chosen;
  const near = words
    .map((word) =>
      renderDidYouMean(
        word,
        tests.map(({ id }) => id),
      ),
    )
    .join("");
  throw new LoopxError("invalid_value", {
    message: `no test's id or name contains ${words.map(quoteName).join(" or ")}${near}`,
    hint: tests.length === 0 ? "the project has no tests" : `the first test is ${tests[0]?.id}`,
    details: { flag: "--filter" },
  });
}

/** Runs tests on a build, one after the other, with their fixtures. Nothing but the build and the tests has a part in it. */
export async function runSuite(
  build: ContextBuild,
  tests: readonly PlacedTest[],
  onProgress: OnProgress = () => undefined,
): Promise<SuiteReport> {
  const verdicts: TestVerdict[] = [];
  for (const { test, index } of tests) {
    verdicts.push(judgeTest(test, index, await evaluateTest(build, test)));
    if (verdicts.length % TESTS_A_TURN !== 0) continue;
    onProgress(verdicts.length, tests.length);
    await setImmediate();
  }
  if (verdicts.length % TESTS_A_TURN !== 0) onProgress(verdicts.length, tests.length);
  return toReport(verdicts);
}

function toReport(tests: readonly TestVerdict[]): SuiteReport {
  const counts = { PASSED: 0, FAILED: 0, UNKNOWN: 0 };
  for (const { status } of tests) counts[status] += 1;
  const isVerified = counts.UNKNOWN === 0 && tests.length > 0;
  return { verdict: counts.FAILED > 0 ? "FAILED" : isVerified ? "PASSED" : "NOT_VERIFIED", counts, tests };
}
