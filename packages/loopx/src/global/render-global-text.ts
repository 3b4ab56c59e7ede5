import type { TextStyle } from "../output/text-style.ts";
import { renderTable, type TableColumn } from "../output/render-table.ts";
import { joinLines, renderNext } from "../packets/render-facts.ts";
import { printWarningStep, type GlobalAction } from "./global-packet.ts";
import type { SourceWarning } from "./registered-project.ts";
import type { Survey } from "./survey.ts";

/** Rows under a title; nothing where there are none. */
export interface TextSection {
  readonly title: string;
  readonly columns: readonly TableColumn[];
  readonly cells: readonly (readonly string[])[];
}

/** A view for people: the headline, its rows, what could not be read, what comes next. */
export function renderGlobalText(
  view: {
    readonly headline: string;
    readonly sections: readonly TextSection[];
    readonly survey: Survey;
    readonly actions: readonly GlobalAction[];
  },
  style: TextStyle,
): string {
  const { headline, sections, survey, actions } = view;
  return joinLines(
    style.bold(survey.hasProjects ? headline : "no project is connected yet"),
    ...sections.map((section) => renderSection(section, style)),
    renderWarnings(survey.warnings, style),
    renderNext(
      actions.map((action) => action.preview),
      style,
    ),
  );
}

function renderSection({ title, columns, cells }: TextSection, style: TextStyle): string {
  return cells.length === 0 ? "" : `\n${style.dim(title)}\n${renderTable(columns, cells, style)}`;
}

const WARNING_COLUMNS = [{ title: "PROJECT" }, { title: "WHY" }, { title: "SEE" }];
const WARNINGS_SHOWN = 8;

function renderWarnings(warnings: readonly SourceWarning[], style: TextStyle): string {
  const title = `could not be read, so the counts are lower bounds (${warnings.length})`;
  const cells = warnings
    .slice(0, WARNINGS_SHOWN)
    .map((warning) => [warning.label, warning.code.replaceAll("_", " "), printWarningStep(warning)]);
  return renderSection({ title, columns: WARNING_COLUMNS, cells }, style);
}
