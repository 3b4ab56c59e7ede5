import { setImmediate } from "node:timers/promises";
import type { ContextBuild } from "../build/context-build.ts";
import { diffBuilds, type BuildDifference } from "../build/diff-builds.ts";
import type { Evaluation, FactSource } from "../suite/carry-out-turn.ts";
import { evaluateTest, type NoEvaluation } from "../suite/evaluate-test.ts";
import { TESTS_A_TURN, type OnProgress, type PlacedTest } from "../suite/run-suite.ts";
import { compareTest, type ChangeStatus, type TestChange } from "./compare-test.ts";

/** What a regression run compares. */
export interface RegressionCase {
  readonly baseline: ContextBuild;
  readonly candidate: ContextBuild;
  readonly tests: readonly PlacedTest[];
  /** The real providers of each build, where somebody asked for them; null takes fixtures. */
  readonly live: { readonly baseline: FactSource; readonly candidate: FactSource } | null;
}

/** What a candidate changes. */
export interface RegressionReport {
  /** REGRESSED before NOT_VERIFIED before CHANGED: the worst that is known. */
  readonly verdict: "UNCHANGED" | "CHANGED" | "REGRESSED" | "NOT_VERIFIED";
  readonly evaluation: {
    readonly providers: "FIXTURE" | "LIVE";
    /** LIVE_DEPENDENT when an answer of a live provider had a part in it: then another run may come to something else. */
    readonly determinism: "DETERMINISTIC" | "LIVE_DEPENDENT";
  };
  readonly counts: Readonly<Record<ChangeStatus, number>>;
  /** What differs between the builds themselves. */
  readonly differences: readonly BuildDifference[];
  /** In the order of the project, unchanged ones too. */
  readonly tests: readonly TestChange[];
}

/** Carries out the same tests on two builds and says what changed. Live providers are called only where they are given. */
export async function runRegression(
  { baseline, candidate, tests, live }: RegressionCase,
  onProgress: OnProgress = () => undefined,
): Promise<RegressionReport> {
  const differences = diffBuilds(baseline, candidate);
  const changes: TestChange[] = [];
  let isLiveDependent = false;
  for (const placed of tests) {
    const before = await evaluateTest(baseline, placed.test, live?.baseline);
    const after = await evaluateTest(candidate, placed.test, live?.candidate);
    changes.push(compareTest(placed, { before, after }, { differences, candidate, isLive: live !== null }));
    isLiveDependent ||= isFromLive(before) || isFromLive(after);
    if (changes.length % TESTS_A_TURN !== 0) continue;
    onProgress(changes.length, tests.length);
    await setImmediate();
  }
  const counts = { UNCHANGED: 0, CHANGED: 0, MENDED: 0, REGRESSED: 0, UNKNOWN: 0 };
  for (const { status } of changes) counts[status] += 1;
  return {
    verdict: toVerdict(counts, tests.length),
    evaluation: {
      providers: live === null ? "FIXTURE" : "LIVE",
      determinism: isLiveDependent ? "LIVE_DEPENDENT" : "DETERMINISTIC",
    },
    counts,
    differences,
    tests: changes,
  };
}

/** Found in the outcomes themselves. A provider that is not bound always answers the same. */
function isFromLive(side: Evaluation | NoEvaluation): boolean {
  if (side.kind !== "evaluated") return false;
  return [...side.outcomes.values()].some(({ providerType }) => providerType === "http" || providerType === "sqlite");
}

function toVerdict(counts: RegressionReport["counts"], total: number): RegressionReport["verdict"] {
  if (counts.REGRESSED > 0) return "REGRESSED";
  if (counts.UNKNOWN > 0 || total === 0) return "NOT_VERIFIED";
  return counts.CHANGED + counts.MENDED > 0 ? "CHANGED" : "UNCHANGED";
}
