import { LIMITS } from "@loopx/contracts";
import type { LaneOutlook } from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import { GATE_COLUMNS, toGateCells, toGatePacket } from "../../global/gate-row.ts";
import { countBytes, renderPage, toAction, type GlobalAction, type RenderedPage } from "../../global/global-packet.ts";
import { LANE_COLUMNS, LANE_KEY_SHAPE, toLaneCells, toLanePacket } from "../../global/lane-row.ts";
import { parseCursor } from "../../global/ordered-head.ts";
import { PROGRESS_COLUMNS, toProgressCells, toProgressPacket } from "../../global/progress-row.ts";
import { renderGlobalText, type TextSection } from "../../global/render-global-text.ts";
import { RISK_COLUMNS, toRiskCells, toRiskPacket } from "../../global/risk-row.ts";
import { createTextView, DIGEST_TEXT, type TextView } from "../../packets/shown-text.ts";
import { surveyProjects, type Survey } from "../../global/survey.ts";
import { toWorkCells, toWorkPacket, WORK_COLUMNS } from "../../global/work-row.ts";
import { renderQuantity } from "../../packets/render-facts.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

type Flags = CommandInput<"global-summary">["flags"];

const DAY_MS = 86_400_000;
/** Rows of each list that a digest begins with; fewer where they are large. */
const HEAD_ROWS = 3;

/** Shows one digest of all projects: counts, the head of each list, and every lane a page at a time. */
export const run: CommandHandler<"global-summary"> = async ({ flags, globals, ambient }) => {
  const { agentId, limit, cursor } = flags;
  const after = cursor === undefined ? null : ({ list: "lanes", key: parseCursor(cursor, LANE_KEY_SHAPE) } as const);
  const includes = new Set(["lanes", "risks"] as const);
  const query = { agentId, includes, progressMs: flags.timeRange ?? DAY_MS, riskMs: undefined, limit, after };
  const survey = await surveyProjects(query, globals, ambient);
  const { page, headRows } = fitDigest(survey, flags, after === null ? HEAD_ROWS : 0);
  return {
    packet: page.packet,
    text: (style) => {
      const sections = listSections(survey, { headRows, page });
      return renderGlobalText({ headline: renderHeadline(survey), sections, survey, actions: page.actions }, style);
    },
  };
};

interface Digest {
  readonly page: RenderedPage<LaneOutlook>;
  readonly headRows: number;
}

/** With as many rows of each list as leave room for the first lane. */
function fitDigest(survey: Survey, flags: Flags, headRows: number): Digest {
  const page = renderDigest(survey, flags, headRows);
  if (headRows === 0 || countBytes(page.packet) <= LIMITS.packetMaxBytes.global_page) return { page, headRows };
  return fitDigest(survey, flags, headRows - 1);
}

function renderDigest(survey: Survey, flags: Flags, headRows: number): RenderedPage<LaneOutlook> {
  const { agentId, limit } = flags;
  return renderPage({
    view: "summary",
    includes: ["progress", "gates", "todos", "risks", "next_actions"],
    survey,
    limit,
    agentId,
    list: "lanes",
    rows: survey.heads.lanes.list(),
    room: DIGEST_TEXT,
    toPacket: toLanePacket,
    summary: () => toCounts(survey),
    extra: (text) => (headRows === 0 ? {} : toHeads(survey, { agentId, headRows, text })),
    actions: ({ nextCursor }) => [
      ...listDetails(survey, agentId),
      ...(nextCursor === undefined
        ? []
        : [
            toAction("next_lanes", "read_more", printCommand("global-summary", { ...flags, cursor: nextCursor }).shell),
          ]),
    ],
  });
}

function toCounts(survey: Survey): object {
  const { counts, lanesByDecision, warnings } = survey;
  return {
    headline: renderHeadline(survey),
    project_count: counts.projects,
    open_goal_count: counts.openGoals,
    progress_count: counts.progress,
    open_gate_count: counts.gates,
    undecided_gate_count: counts.undecidedGates,
    open_todo_count: counts.todos,
    runnable_todo_count: counts.runnableTodos,
    deferred_ready_todo_count: counts.deferredReadyTodos,
    blocked_todo_count: counts.blockedTodos,
    waiting_lane_count: countWaitingLanes(survey),
    risk_count: counts.risks,
    quota_states: lanesByDecision,
    source_warning_count: warnings.length,
  };
}

function countWaitingLanes({ lanesByDecision }: Survey): number {
  const waiting = Object.entries(lanesByDecision).filter(([kind]) => kind !== "run" && kind !== "replan");
  return waiting.reduce((sum, [, count]) => sum + count, 0);
}

function renderHeadline(survey: Survey): string {
  const { counts } = survey;
  return [
    `${renderQuantity(counts.openGoals, "open goal")} in ${renderQuantity(counts.projects, "project")}`,
    `${renderQuantity(counts.undecidedGates, "gate")} to be answered`,
    `${renderQuantity(counts.runnableTodos, "todo")} runnable`,
    `${renderQuantity(countWaitingLanes(survey), "lane")} waiting`,
    renderQuantity(counts.risks, "risk"),
  ].join(", ");
}

interface Heads {
  readonly agentId: string | undefined;
  readonly headRows: number;
  readonly text: TextView;
}

function toHeads({ heads }: Survey, { agentId, headRows, text }: Heads): object {
  return {
    gates: heads.gates
      .list()
      .slice(0, headRows)
      .map((row) => toGatePacket(row, text)),
    todos: heads.todos
      .list()
      .slice(0, headRows)
      .map((row) => toWorkPacket(row, agentId, text)),
    risks: heads.risks
      .list()
      .slice(0, headRows)
      .map((row) => toRiskPacket(row, text)),
    recent_progress: heads.recent_progress
      .list()
      .slice(0, headRows)
      .map((row) => toProgressPacket(row, text)),
  };
}

/** Where the whole of each list is, for those that hold something. */
function listDetails({ counts }: Survey, agentId: string | undefined): readonly GlobalAction[] {
  const named = [
    ["global-gates", counts.gates],
    ["global-todos", counts.todos],
    ["global-risks", counts.risks],
  ] as const;
  return named
    .filter(([, count]) => count > 0)
    .map(([name]) => toAction(name.replace("-", "_"), "read_more", printCommand(name, { agentId }).shell));
}

function listSections(
  { heads }: Survey,
  shown: { readonly headRows: number; readonly page: RenderedPage<LaneOutlook> },
): readonly TextSection[] {
  const { headRows, page } = shown;
  const text = createTextView(DIGEST_TEXT);
  const cellsOf = <Row>(rows: readonly Row[], toCells: (row: Row, text: TextView) => readonly string[]) =>
    rows.slice(0, headRows).map((row) => toCells(row, text));
  return [
    { title: "gates", columns: GATE_COLUMNS, cells: cellsOf(heads.gates.list(), toGateCells) },
    { title: "work", columns: WORK_COLUMNS, cells: cellsOf(heads.todos.list(), toWorkCells) },
    { title: "risks", columns: RISK_COLUMNS, cells: cellsOf(heads.risks.list(), toRiskCells) },
    {
      title: "recent progress",
      columns: PROGRESS_COLUMNS,
      cells: cellsOf(heads.recent_progress.list(), toProgressCells),
    },
    { title: "lanes", columns: LANE_COLUMNS, cells: page.rows.map(toLaneCells) },
  ];
}
