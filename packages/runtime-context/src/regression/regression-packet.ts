import { toPointer } from "../project/document/finding.ts";
import type { TestChange } from "./compare-test.ts";
import type { RegressionReport } from "./run-regression.ts";

/** What a packet or a report holds of one test, snake_case. What holds of none is left out. */
export function toShownChange(change: TestChange): object {
  const { test, name, status, verdicts, turn, layers, unknowns, failures, warnings } = change;
  return {
    test,
    ...(name === null ? {} : { name }),
    status,
    baseline: verdicts[0],
    candidate: verdicts[1],
    ...(turn.length === 0 ? {} : { turn }),
    ...(layers.length === 0
      ? {}
      : { layers: layers.map(({ text, ...layer }) => ({ ...layer, ...(text === null ? {} : { text }) })) }),
    ...(unknowns === null ? {} : { unknowns }),
    ...(failures.length === 0
      ? {}
      : { failures: failures.map(({ path, expected, got }) => ({ at: toPointer(path), expected, got })) }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

export function toShownChangeCounts({ counts, tests }: RegressionReport): object {
  return {
    total: tests.length,
    unchanged: counts.UNCHANGED,
    changed: counts.CHANGED,
    mended: counts.MENDED,
    regressed: counts.REGRESSED,
    unknown: counts.UNKNOWN,
  };
}
