import { RISK_CATEGORIES } from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import { renderPage, toAction } from "../../global/global-packet.ts";
import { parseCursor } from "../../global/ordered-head.ts";
import { renderGlobalText } from "../../global/render-global-text.ts";
import { printRiskStep, RISK_COLUMNS, RISK_KEY_SHAPE, toRiskCells, toRiskPacket } from "../../global/risk-row.ts";
import { createTextView, ROW_TEXT } from "../../packets/shown-text.ts";
import { surveyProjects } from "../../global/survey.ts";
import { renderQuantity } from "../../packets/render-facts.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Shows what an owner should look at in all projects, the gravest first. */
export const run: CommandHandler<"global-risks"> = async ({ flags, globals, ambient }) => {
  const { agentId, limit, cursor, timeRange: riskMs } = flags;
  const after = cursor === undefined ? null : ({ list: "risks", key: parseCursor(cursor, RISK_KEY_SHAPE) } as const);
  const query = { agentId, includes: new Set(["risks"] as const), progressMs: undefined, riskMs, limit, after };
  const survey = await surveyProjects(query, globals, ambient);
  const { counts, risksByCategory, heads } = survey;
  const headline = counts.risks === 0 ? "no risk was found" : renderQuantity(counts.risks, "risk");
  const page = renderPage({
    view: "risks",
    includes: ["stale_runs", "boundary_warnings", "failing_checks", "rollback_candidates"],
    survey,
    limit,
    agentId,
    list: "risks",
    rows: heads.risks.list(),
    room: ROW_TEXT,
    toPacket: toRiskPacket,
    summary: ({ rows, nextCursor }) => ({
      headline,
      source_health_ok: survey.warnings.length === 0,
      matched_risk_count: counts.risks,
      matched_occurrence_count: counts.riskOccurrences,
      returned_risk_count: rows.length,
      ...Object.fromEntries(RISK_CATEGORIES.map((name) => [`${name}_count`, risksByCategory[name] ?? 0])),
      source_warning_count: survey.warnings.length,
      truncated: nextCursor !== undefined,
    }),
    extra: () => ({}),
    actions: ({ rows, nextCursor }) => [
      ...rows.slice(0, 1).map((row) => toAction("first_risk", "review", printRiskStep(row))),
      ...(nextCursor === undefined
        ? []
        : [toAction("next_page", "read_more", printCommand("global-risks", { ...flags, cursor: nextCursor }).shell)]),
    ],
  });
  return {
    packet: page.packet,
    text: (style) => {
      const text = createTextView(ROW_TEXT);
      const cells = page.rows.map((row) => toRiskCells(row, text));
      const sections = [{ title: "risks", columns: RISK_COLUMNS, cells }];
      return renderGlobalText({ headline, sections, survey, actions: page.actions }, style);
    },
  };
};
