import { printCommand } from "../../command-line/print-command.ts";
import { GATE_COLUMNS, GATE_KEY_SHAPE, printShowGate, toGateCells, toGatePacket } from "../../global/gate-row.ts";
import { renderPage, toAction } from "../../global/global-packet.ts";
import { LANE_COLUMNS, toLaneCells, toLanePacket } from "../../global/lane-row.ts";
import { parseCursor } from "../../global/ordered-head.ts";
import { renderGlobalText } from "../../global/render-global-text.ts";
import { createTextView, ROW_TEXT } from "../../packets/shown-text.ts";
import { surveyProjects } from "../../global/survey.ts";
import { renderQuantity } from "../../packets/render-facts.ts";
import type { CommandHandler } from "../command-handler.ts";

const BLOCKED_LANES_SHOWN = 3;

/** Shows the gates of all projects that still ask or hold, and the lanes that wait for a person. */
export const run: CommandHandler<"global-gates"> = async ({ flags, globals, ambient }) => {
  const { agentId, limit, cursor } = flags;
  const after = cursor === undefined ? null : ({ list: "gates", key: parseCursor(cursor, GATE_KEY_SHAPE) } as const);
  const query = {
    agentId,
    includes: new Set(["lanes"] as const),
    progressMs: undefined,
    riskMs: undefined,
    limit,
    after,
  };
  const survey = await surveyProjects(query, globals, ambient);
  const { counts, lanesByDecision, heads } = survey;
  const blockedLanes =
    after === null
      ? heads.lanes
          .list()
          .filter(({ item }) => item.decision.kind === "ask_user")
          .slice(0, BLOCKED_LANES_SHOWN)
      : [];
  const headline =
    counts.gates === 0
      ? "no gate is open"
      : `${renderQuantity(counts.gates, "open gate")}, ${counts.undecidedGates} to be answered`;
  const page = renderPage({
    view: "gates",
    includes: ["gates", "blocked_work", "next_questions"],
    survey,
    limit,
    agentId,
    list: "gates",
    rows: heads.gates.list(),
    room: ROW_TEXT,
    toPacket: toGatePacket,
    summary: ({ rows, nextCursor }) => ({
      headline,
      open_gate_count: counts.gates,
      undecided_gate_count: counts.undecidedGates,
      returned_gate_count: rows.length,
      blocked_lane_count: lanesByDecision["ask_user"] ?? 0,
      source_warning_count: survey.warnings.length,
      truncated: nextCursor !== undefined,
    }),
    extra: () => ({ lanes: blockedLanes.map(toLanePacket) }),
    actions: ({ rows, nextCursor }) => [
      ...rows.slice(0, 1).map((row) => toAction("answer_first_gate", "ask_user", printShowGate(row))),
      ...(nextCursor === undefined
        ? []
        : [toAction("next_page", "read_more", printCommand("global-gates", { ...flags, cursor: nextCursor }).shell)]),
    ],
  });
  return {
    packet: page.packet,
    text: (style) => {
      const text = createTextView(ROW_TEXT);
      const sections = [
        { title: "gates", columns: GATE_COLUMNS, cells: page.rows.map((row) => toGateCells(row, text)) },
        { title: "lanes that wait for you", columns: LANE_COLUMNS, cells: blockedLanes.map(toLaneCells) },
      ];
      return renderGlobalText({ headline, sections, survey, actions: page.actions }, style);
    },
  };
};
