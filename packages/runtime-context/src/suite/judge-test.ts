import type { ContextTest } from "../project/context-project.ts";
import type { Expectation } from "../project/expectation.ts";
import type { PathSegment } from "../project/document/finding.ts";
import type { TurnOutcome } from "../kernel/turn-result.ts";
import type { Evaluation } from "./carry-out-turn.ts";
import type { NoEvaluation } from "./evaluate-test.ts";
import { judgeExpectation, toTextDigest } from "./judge-expectation.ts";

export type TestStatus = "PASSED" | "FAILED" | "UNKNOWN";

/** One expectation that doesn't hold. */
export interface TestFailure {
  /** Into the project, such as `["tests", 0, "expect", 2]`. */
  readonly path: readonly PathSegment[];
  readonly expected: string;
  readonly got: string;
}

/** Why a test proves nothing, or less than it seems to. */
export interface TestWarning {
  /** `NO_TURN`: in a comparison, where neither build knows what the test asks for. */
  readonly code: "PROVIDER_FIXTURE_MISSING" | "NOTHING_EXPECTED" | "INPUT_IGNORED" | "NO_TURN";
  readonly provider: string | null;
  readonly says: string;
}

/** What became of one test. */
export interface TestVerdict {
  readonly test: string;
  readonly name: string | null;
  readonly status: TestStatus;
  readonly failures: readonly TestFailure[];
  readonly warnings: readonly TestWarning[];
  /** Null where there was no turn. */
  readonly outcome: TurnOutcome | null;
  /** What the turn gave its reader, where an expectation about it fails. */
  readonly rendered: string | null;
  /** That of the text, where golden digests fail and nothing else does: it may be accepted. */
  readonly digest: string | null;
}

/**
 * The verdict on a test's turn. UNKNOWN is never a pass: what was not carried out, or expects nothing, verifies nothing.
 * `index` is the place of the test in the project.
 */
export function judgeTest(test: ContextTest, index: number, evaluation: Evaluation | NoEvaluation): TestVerdict {
  const nothing = { test: test.id, name: test.name, failures: [], warnings: [], rendered: null, digest: null };
  switch (evaluation.kind) {
    case "fixture_missing": {
      const warnings = evaluation.providers.map((provider) => toMissingFixture(provider, test));
      return { ...nothing, status: "UNKNOWN", warnings, outcome: null };
    }
    case "refused": {
      const { message, hint } = evaluation.refusal;
      const got = `no turn: ${message}${hint === undefined ? "" : `; ${hint}`}`;
      const failure = { path: ["tests", index], expected: "a request that the build knows", got };
      return { ...nothing, status: "FAILED", failures: [failure], outcome: null };
    }
    case "evaluated":
      return judgeEvaluated(test, index, evaluation);
    default:
      return evaluation satisfies never;
  }
}

function judgeEvaluated(test: ContextTest, index: number, evaluation: Evaluation): TestVerdict {
  const { outcome, rendered } = evaluation.result;
  const warnings = evaluation.ignoredInputs.map(
    ({ says }) => ({ code: "INPUT_IGNORED", provider: null, says }) as const,
  );
  const verdict = { test: test.id, name: test.name, failures: [], warnings, outcome, rendered: null, digest: null };
  if (test.expect.length === 0) {
    const says = `it expects nothing; its turn was ${outcome}: say so in "expect"`;
    return {
      ...verdict,
      status: "UNKNOWN",
      warnings: [{ code: "NOTHING_EXPECTED", provider: null, says }, ...warnings],
    };
  }
  const failures = test.expect.flatMap((expectation, at) => {
    const { holds, expected, got } = judgeExpectation(expectation, evaluation);
    return holds ? [] : [{ path: ["tests", index, "expect", at], expected, got, expectation }];
  });
  if (failures.length === 0) return { ...verdict, status: "PASSED" };
  const isGolden = failures.every(({ expectation }) => expectation.kind === "digest");
  return {
    ...verdict,
    status: "FAILED",
    failures: failures.map(({ path, expected, got }) => ({ path, expected, got })),
    rendered: failures.some(({ expectation }) => isAboutText(expectation)) ? rendered : null,
    digest: isGolden ? toTextDigest(evaluation) : null,
  };
}

function isAboutText(expectation: Expectation): boolean {
  switch (expectation.kind) {
    case "contains":
    case "matches":
    case "digest":
      return true;
    case "not":
      return isAboutText(expectation.expectation);
    case "all":
    case "any":
      return expectation.expectations.some(isAboutText);
    case "outcome":
    case "layer":
    case "selected":
    case "excluded":
    case "order":
    case "provider":
    case "bytesAtMost":
    case "unknown":
      return false;
    default:
      return expectation satisfies never;
  }
}

function toMissingFixture(provider: string, { id }: ContextTest): TestWarning {
  const says = `provider ${provider} would be asked and the test ${id} has no fixture for it: add "${provider}" to its "providers"`;
  return { code: "PROVIDER_FIXTURE_MISSING", provider, says };
}
