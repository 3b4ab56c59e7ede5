import type { Evaluation } from "../suite/carry-out-turn.ts";
import type { NoEvaluation } from "../suite/evaluate-test.ts";
import {
  judgeTest,
  type TestFailure,
  type TestStatus,
  type TestVerdict,
  type TestWarning,
} from "../suite/judge-test.ts";
import type { PlacedTest } from "../suite/run-suite.ts";
import { diffLines } from "./diff-lines.ts";
import { listLayerChanges, type Compared, type FieldChange, type LayerChange } from "./layer-change.ts";
import { splitText } from "./split-text.ts";

/**
 * `REGRESSED`: it passed and no longer does; `MENDED` the other way round; `UNKNOWN`: one of its turns has no fixture, or
 * there is no turn on either build.
 */
export type ChangeStatus = "UNCHANGED" | "CHANGED" | "MENDED" | "REGRESSED" | "UNKNOWN";

/** What becomes of one test when a build takes the place of another. */
export interface TestChange {
  readonly test: string;
  readonly name: string | null;
  readonly status: ChangeStatus;
  /** On the baseline and on the candidate. */
  readonly verdicts: readonly [before: TestStatus, after: TestStatus];
  /** Outcome of the turn, or why there is none. */
  readonly turn: readonly FieldChange[];
  readonly layers: readonly LayerChange[];
  /** Lines about unknown facts. */
  readonly unknowns: ReturnType<typeof diffLines>;
  /** Of the candidate, where the test regressed. */
  readonly failures: readonly TestFailure[];
  readonly warnings: readonly (TestWarning & { readonly build: "baseline" | "candidate" })[];
}

type Side = Evaluation | NoEvaluation;

/** Compares what came of one test on two builds. What differs is explained layer by layer. */
export function compareTest(
  { test, index }: PlacedTest,
  sides: { readonly before: Side; readonly after: Side },
  context: Pick<Compared, "differences" | "candidate" | "isLive">,
): TestChange {
  const { before, after } = sides;
  const [old, fresh] = [judgeTest(test, index, before), judgeTest(test, index, after)];
  const turn = diffTurns(before, after);
  const pair = before.kind === "evaluated" && after.kind === "evaluated" ? { before, after } : null;
  const layers = pair === null ? [] : listLayerChanges({ ...pair, ...context });
  const unknowns = pair === null ? null : diffUnknowns(pair);
  const hasChanged = turn.length + layers.length > 0 || unknowns !== null;
  const isMissing = before.kind === "fixture_missing" || after.kind === "fixture_missing";
  const isRefused = before.kind === "refused" && after.kind === "refused";
  const status = isMissing || isRefused ? "UNKNOWN" : toStatus(old.status, fresh.status, hasChanged);
  return {
    test: test.id,
    name: test.name,
    status,
    verdicts: [old.status, fresh.status],
    turn,
    layers,
    unknowns,
    failures: status === "REGRESSED" ? fresh.failures : [],
    warnings: [
      ...listUnknown(old, before, isRefused).map((warning) => ({ ...warning, build: "baseline" as const })),
      ...listUnknown(fresh, after, isRefused).map((warning) => ({ ...warning, build: "candidate" as const })),
    ],
  };
}

function toStatus(before: TestStatus, after: TestStatus, hasChanged: boolean): ChangeStatus {
  if (before === "PASSED" && after === "FAILED") return "REGRESSED";
  if (before === "FAILED" && after === "PASSED") return "MENDED";
  return hasChanged ? "CHANGED" : "UNCHANGED";
}

/** A test that expects nothing can be compared all the same. Two refusals can't: nothing was carried out. */
function listUnknown({ warnings }: TestVerdict, side: Side, isRefused: boolean): readonly TestWarning[] {
  if (isRefused && side.kind === "refused")
    return [{ code: "NO_TURN", provider: null, says: `no turn to compare: ${side.refusal.message}` }];
  return warnings.filter(({ code }) => code === "PROVIDER_FIXTURE_MISSING");
}

function diffTurns(before: Side, after: Side): readonly FieldChange[] {
  const [old, fresh] = [toTurnFacts(before), toTurnFacts(after)];
  return fresh.flatMap(([field, value], at) => {
    const was = old[at]?.[1] ?? null;
    return was === value ? [] : [{ field, before: was, after: value }];
  });
}

function toTurnFacts(side: Side): readonly (readonly [string, string | null])[] {
  const result = side.kind === "evaluated" ? side.result : null;
  const refused = side.kind === "refused" ? side.refusal.message : null;
  return [
    ["outcome", result?.outcome ?? null],
    ["refused", refused],
  ];
}

function diffUnknowns({ before, after }: Pick<Compared, "before" | "after">): ReturnType<typeof diffLines> {
  return diffLines(splitText(before.result).get(null) ?? [], splitText(after.result).get(null) ?? []);
}
