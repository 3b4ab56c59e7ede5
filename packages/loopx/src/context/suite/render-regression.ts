import type { RegressionReport, TestChange } from "@loopx/runtime-context/offline";
import type { TextStyle } from "../../output/text-style.ts";
import { MOST_SHOWN, renderRest } from "./render-suite.ts";
import { joinLines, renderQuantity } from "../../packets/render-facts.ts";

type LayerChange = TestChange["layers"][number];
type FieldChange = TestChange["turn"][number];

/** What a candidate changes, for people: test by test, layer by layer, with the reason. */
export function renderRegression(report: RegressionReport, style: TextStyle): string {
  const changed = report.tests.filter(({ status }) => status !== "UNCHANGED");
  const { providers, determinism } = report.evaluation;
  return joinLines(
    ...changed.slice(0, MOST_SHOWN).map((change) => renderChange(change, style)),
    renderRest(changed.length, style),
    renderCounts(report, style),
    style.dim(`providers ${providers}, ${determinism}`),
  );
}

function renderChange(change: TestChange, style: TextStyle): string {
  const { test, name, status, turn, layers, unknowns, failures, warnings } = change;
  const paint = { REGRESSED: style.red, UNKNOWN: style.yellow, MENDED: style.green, CHANGED: style.cyan }[
    status === "UNCHANGED" ? "CHANGED" : status
  ];
  return joinLines(
    `${paint(status.padEnd(9))}  ${style.bold(test)}${name === null ? "" : `  ${name}`}`,
    ...failures.flatMap(({ expected, got }) => [`  expected  ${expected}`, `  got       ${style.red(got)}`]),
    ...turn.map((field) => `  ${sayField(field)}`),
    ...layers.map((layer) => renderLayer(layer, style)),
    unknowns === null ? "" : joinLines("  what is unknown", renderLines(unknowns, style)),
    ...warnings.map(({ code, build, says }) => `  ${style.yellow(code)}  ${build}: ${says}`),
    " ",
  );
}

function sayField({ field, before, after }: FieldChange): string {
  return `${field}: ${before ?? "nothing"} → ${after ?? "nothing"}`;
}

function renderLayer({ layer, fields, text, because }: LayerChange, style: TextStyle): string {
  return joinLines(
    `  layer ${style.bold(layer)}${fields.length === 0 ? "" : `  ${fields.map(sayField).join(", ")}`}`,
    ...because.map((sentence) => `    because  ${sentence}`),
    text === null ? "" : renderLines(text, style),
  );
}

function renderLines({ removed, added }: NonNullable<LayerChange["text"]>, style: TextStyle): string {
  return joinLines(
    ...removed.map((line) => style.red(`    - ${line}`)),
    ...added.map((line) => style.green(`    + ${line}`)),
  );
}

function renderCounts({ verdict, counts, tests }: RegressionReport, style: TextStyle): string {
  const parts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status.toLowerCase()}`);
  const paint = { REGRESSED: style.red, NOT_VERIFIED: style.yellow, CHANGED: style.cyan, UNCHANGED: style.green }[
    verdict
  ];
  return `${paint(verdict)}  ${renderQuantity(tests.length, "test")}${parts.length === 0 ? "" : `: ${parts.join(", ")}`}`;
}
