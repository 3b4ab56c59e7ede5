import type { SuiteReport, TestVerdict } from "@loopx/runtime-context/offline";
import type { TextStyle } from "../../output/text-style.ts";
import { joinLines, renderQuantity } from "../../packets/render-facts.ts";

type Place = (path: TestVerdict["failures"][number]["path"]) => string;

/** What came of a suite, for people: what failed with both sides, then how much passed. */
export function renderSuite(report: SuiteReport, placeOf: Place, style: TextStyle): string {
  const notPassed = report.tests.filter(({ status }) => status !== "PASSED");
  return joinLines(
    ...notPassed.slice(0, MOST_SHOWN).map((verdict) => renderVerdict(verdict, placeOf, style)),
    renderRest(notPassed.length, style),
    renderCounts(report, style),
  );
}

/** More than a person reads. */
export const MOST_SHOWN = 20;

/** Where to find the tests that aren't shown. */
export function renderRest(count: number, style: TextStyle): string {
  if (count <= MOST_SHOWN) return "";
  return style.dim(`… and ${renderQuantity(count - MOST_SHOWN, "test")} more: --report=json=FILE holds all of them`);
}

function renderVerdict(verdict: TestVerdict, placeOf: Place, style: TextStyle): string {
  const { test, name, status, failures, warnings, rendered } = verdict;
  const label = status === "FAILED" ? style.red("FAILED ") : style.yellow("UNKNOWN");
  return joinLines(
    `${label}  ${style.bold(test)}${name === null ? "" : `  ${name}`}`,
    ...failures.map(({ path, expected, got }) =>
      joinLines(
        style.dim(`  ${placeOf(path)}`),
        `    expected  ${inColumn(expected)}`,
        `    got       ${style.red(inColumn(got))}`,
      ),
    ),
    ...warnings.map(({ code, says }) => `  ${style.yellow(code)}  ${says}`),
    rendered === null ? "" : renderText(rendered, style),
    " ",
  );
}

/** Further lines stay in their column. */
function inColumn(text: string): string {
  return text.split("\n").join(`\n${" ".repeat(14)}`);
}

const SHOWN_LINES = 40;

function renderText(rendered: string, style: TextStyle): string {
  const lines = rendered.trimEnd().split("\n");
  const shown = lines.slice(0, SHOWN_LINES).map((line, at) => `  ${style.dim(String(at + 1).padStart(4))}  ${line}`);
  const rest = lines.length - shown.length;
  return joinLines(
    style.dim(rendered === "" ? "    the text is empty" : "    the text"),
    ...(rendered === "" ? [] : shown),
    rest > 0 ? style.dim(`        … and ${renderQuantity(rest, "line")} more`) : "",
  );
}

function renderCounts({ verdict, counts, tests }: SuiteReport, style: TextStyle): string {
  if (tests.length === 0) return style.yellow("the project has no tests: nothing was verified");
  const parts = [
    style.green(`${counts.PASSED} passed`),
    counts.FAILED === 0 ? "" : style.red(`${counts.FAILED} failed`),
    counts.UNKNOWN === 0 ? "" : style.yellow(`${counts.UNKNOWN} unknown`),
  ].filter((part) => part !== "");
  const ending = verdict === "NOT_VERIFIED" ? style.yellow("  not everything is verified") : "";
  return `${parts.join(", ")}${ending}`;
}
